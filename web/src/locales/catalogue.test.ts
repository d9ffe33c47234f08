import { expect, test } from 'vitest'

interface Words {
  [key: string]: string | Words
}
const files = import.meta.glob<{ messages: Words }>('./{th,en}/*.ts', { eager: true })

function flatten(words: Words, prefix = ''): readonly (readonly [string, string])[] {
  return Object.entries(words).flatMap(([key, word]) =>
    typeof word === 'string' ? [[prefix + key, word] as const] : flatten(word, `${prefix}${key}.`),
  )
}

function argumentsOf(word: string): readonly string[] {
  return [...new Set([...word.matchAll(/\{(\w+)[,}]/g)].map((match) => match[1] ?? ''))].sort()
}

const areas = Object.keys(files)
  .filter((path) => path.startsWith('./th/'))
  .map((path) => path.slice('./th/'.length))

test.each(areas)('%s has the same keys and arguments in both languages', (area) => {
  const thai = new Map(flatten(files[`./th/${area}`]!.messages))
  const english = new Map(flatten(files[`./en/${area}`]!.messages))
  expect([...english.keys()]).toEqual([...thai.keys()])
  for (const [key, word] of thai) expect([key, argumentsOf(english.get(key)!)]).toEqual([key, argumentsOf(word)])
})
