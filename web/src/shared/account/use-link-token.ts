import { LINK_TOKEN_FORM } from '@megalot/contract/browser'
import { useEffect, useState } from 'react'

function readToken(): string | null {
  const token = location.hash.replace(/^#token=/, '')
  return LINK_TOKEN_FORM.test(token) ? token : null
}

/** The token of the mailed link that led to this page; null where the link is not complete. */
export function useLinkToken(): string | null {
  const [token] = useState(readToken)
  // It is kept here alone: neither the history nor the address bar has it.
  useEffect(() => {
    if (location.hash !== '') history.replaceState(history.state, '', location.pathname)
  }, [])
  return token
}
