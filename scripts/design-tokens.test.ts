// Reports a literal value for which there is a token, wherever it is, and nothing else. Replacing leaves no literal
// values.

import { expect, test } from 'vitest'
import { checkCode, checkCopy, checkStyles, findLiterals, writeTokens } from './design-tokens.mjs'

test.each([
  ['a colour', '.a { color: #0b6667; }'],
  ['a short colour', '.a { border: 1px solid #fff; }'],
  ['a colour function', '.a { box-shadow: 0 4px 16px rgb(0 0 0 / 18%); }'],
  ['a named colour', '.a { background: white; }'],
  ['a named colour in a border', '.a { border: 1px solid darkred; }'],
  ['a colour in a custom property', '.a { --face: #fff; }'],
  ['a font size', '.a { font-size: 0.875rem; }'],
  ['a font size in a function', '.a { font-size: min(1rem, 19px); }'],
  ['a line height', '.a { line-height: 1.4; }'],
  ['a radius', '.a { border-radius: 8px; }'],
  ['the radius of a corner', '.a { border-top-left-radius: 0.5rem; }'],
  ['a distance', '.a { padding: 0 12px; }'],
  ['a negative distance', '.a { margin-inline: -16px; }'],
  ['a distance in a sum', '.a { margin-top: calc(var(--bar-height) + 8px); }'],
  ['a duration', '.a { animation: turn 0.8s linear infinite; }'],
  ['a breakpoint', '@media (min-width: 48em) { .a { color: var(--ink); } }'],
  ['the last declaration of a rule', '.a { color: var(--ink); gap: 6px }'],
])('%s in a style sheet is refused', (_name, css) => {
  expect(checkStyles(css)).toHaveLength(1)
})

test.each([
  ['tokens', '.a { color: var(--ink); font-size: var(--text-small); margin: calc(-1 * var(--space-8)) auto 0; }'],
  ['no distance, and a hair line', '.a { padding: 0; margin: -1px; border: 1px solid var(--line); line-height: 1; }'],
  ['the sizes of things', '.a { width: 264px; min-height: 50px; padding-bottom: 28rem; }'],
  ['a limit of a font size', '.a { font-size: min(var(--text-body), 19px); }'],
  [
    'a colour by name',
    '.a { white-space: nowrap; color: currentcolor; background: transparent; grid-area: red-line; }',
  ],
  ['a named breakpoint', '@media (--tablet-up) and (hover: hover) { .a { gap: var(--space-2); } }'],
  ['a comment', '/* #fff; font-size: 3px; */ .a { top: 3px; }'],
  ['a selector', ':global(html[data-with-keypad]) .a:hover > svg { flex: none; }'],
])('%s in a style sheet are allowed', (_name, css) => {
  expect(checkStyles(css)).toEqual([])
})

test('code and markup are checked for colours, breakpoints and sizes', () => {
  expect(checkCode("const a = '#17212a'")).toEqual([{ line: 1, reason: "a literal colour: '#17212a'" }])
  expect(checkCode('\n<rect fill="#fff" />')).toMatchObject([{ line: 2 }])
  expect(checkCode("matchMedia('(max-width: 47.99em)')")).toHaveLength(1)
  expect(checkCode('<p style={{ fontSize: 12 }} />')).toHaveLength(1)
  expect(checkCode("// '#fff'\nconst a = '#123 of a ticket'\nlink('#content')")).toEqual([])
})

test('a file without tokens has only their colours', () => {
  expect(checkCopy('{ "theme_color": "#0b6667", "background_color": "#fff" }')).toEqual([])
  expect(checkCopy('<rect fill="#0b6668" />')).toHaveLength(1)
})

test('the nearest tokens replace literal values; ties go to the smaller', () => {
  const css =
    '@media (max-width: 47.99em) { .a { gap: 5px; margin: -16px 0 1px; border-radius: 99px; font-size: 1.0625rem; } }'
  const written = writeTokens(css)
  expect(written).toBe(
    '@media (--below-tablet) { .a { gap: var(--space-4); margin: calc(-1 * var(--space-16)) 0 1px; ' +
      'border-radius: var(--radius-pill); font-size: var(--text-body); } }',
  )
  expect(checkStyles(written)).toEqual([])
})

test('no style sheet, component or page of the web has a literal value', () => {
  expect(findLiterals()).toEqual([])
})
