// Addresses with their parameters, written and taken apart.

import { paths } from './paths.ts'

export function betPath(product_code: string): string {
  return paths.bet.replace('$product_code', product_code)
}

/** The market of a bet page's address; undefined for other addresses. */
export function readBetPath(pathname: string): string | undefined {
  return /^\/bet\/([\w-]+)$/.exec(pathname)?.[1]
}

export function billPath(order_id: number): string {
  return paths.bill.replace('$order_id', String(order_id))
}
