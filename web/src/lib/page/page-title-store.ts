import { useEffect } from 'react'
import { create } from 'zustand'

/** The title of the page on screen, for the bar on top of a phone and the browser's tab. */
export const usePageTitle = create<{ title: string }>()(() => ({ title: '' }))

/** Names the page: `tab` where the browser's tab should say more than the bar. */
export function useNamedPage(title: string, tab = title): void {
  useEffect(() => {
    usePageTitle.setState({ title })
    document.title = `${tab} · megalot`
  }, [title, tab])
}
