// Goal: a text in an address is read as a number only where it is one: codes and names of digits stay as they were typed.

import { describe, expect, it } from 'vitest'
import { parseSearch } from './parse-search.ts'

describe('the search of an address', () => {
  it.each([
    ['?code=12E4', { code: '12E4' }],
    ['?code=1e400', { code: '1e400' }],
    ['?code=12345678901234567890', { code: '12345678901234567890' }],
    ['?code=007', { code: '007' }],
    ['?search=1.50', { search: '1.50' }],
    ['?search=150', { search: 150 }],
    ['?search=-2', { search: -2 }],
    ['?search=%22150%22', { search: '150' }],
    ['?search=text', { search: 'text' }],
    ['?types=%5B%222top%22%5D', { types: ['2top'] }],
  ])('%s', (address, expected) => {
    expect(parseSearch(address)).toEqual(expected)
  })
})
