// Goal: number marks stay on screen while another package of the same period is picked, and while they are refused; none of one period is
// shown in another.

import type { LimitNumber } from '@megalot/contract'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { CallRefused } from '../../../lib/errors/refusal.ts'
import { limitNumbersQuery } from './number-states.ts'

const grey: LimitNumber = { bet_type: '2top', number: '47', state: 'grey', pays_half: false }
const neverFetched = { enabled: false, refetchInterval: false } as const

function observe(period_code: string, package_code: string | null) {
  const client = new QueryClient()
  const { queryKey } = limitNumbersQuery(period_code, package_code)
  client.setQueryData(queryKey, [grey])
  const observer = new QueryObserver(client, { ...limitNumbersQuery(period_code, package_code), ...neverFetched })
  const stop = observer.subscribe(() => {})
  return { observer, stop }
}

test.each([
  ['another package', 'lao-1', '90', { '2top': { '47': 'grey' } }],
  ['no package', 'lao-1', null, { '2top': { '47': 'grey' } }],
  ['another period', 'lao-2', '70', undefined],
] as const)('after a change to %s', (_name, period_code, package_code, shown) => {
  const { observer, stop } = observe('lao-1', '70')
  observer.setOptions({ ...limitNumbersQuery(period_code, package_code), ...neverFetched })
  expect(observer.getCurrentResult().data).toEqual(shown)
  stop()
})

test('after a read that was refused because there were too many', async () => {
  const { observer, stop } = observe('lao-1', '70')
  const refuse = () => Promise.reject(new CallRefused('too_many_requests', '', 429))
  observer.setOptions({ ...limitNumbersQuery('lao-1', '70'), ...neverFetched, queryFn: refuse, retry: false })
  const { data, isError } = await observer.refetch()
  expect([data, isError]).toEqual([{ '2top': { '47': 'grey' } }, true])
  stop()
})
