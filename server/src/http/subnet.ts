// The subnet of an address, because one client may have many addresses in it.

import { isIPv4, isIPv6 } from 'node:net'

const groupsOf = (text: string | undefined): string[] => (text ? text.split(':') : [])

/** A typical subscriber's prefix: /24 of IPv4, /56 of IPv6. Any other text is a subnet by itself. */
export function subnetOf(address: string | null): string {
  if (address === null) return ''
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
  if (isIPv4(mapped)) return mapped.split('.').slice(0, 3).join('.')
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('%')[0]!.split('::')
  const [first, last] = [groupsOf(head), groupsOf(tail)]
  const groups = [...first, ...Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0'), ...last]
  const bits = groups
    .slice(0, 4)
    .map((group) => group.padStart(4, '0').toLowerCase())
    .join('')
  return bits.slice(0, 14)
}
