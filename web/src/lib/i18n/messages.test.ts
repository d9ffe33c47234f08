import { expect, test } from 'vitest'

interface Words {
  [key: string]: string | Words
}
const files = import.meta.glob<{ messages: Words }>('../../**/*.{th,en}.ts', { eager: true })

function flatten(words: Words, prefix = ''): readonly (readonly [string, string])[] {
  return Object.entries(words).flatMap(([key, word]) =>
    typeof word === 'string' ? [[prefix + key, word] as const] : flatten(word, `${prefix}${key}.`),
  )
}

function argumentsOf(word: string): readonly string[] {
  return [...new Set([...word.matchAll(/\{(\w+)[,}]/g)].map((match) => match[1] ?? ''))].sort()
}

const thaiFiles = Object.keys(files).filter((path) => path.endsWith('.th.ts'))

test.each(thaiFiles)('%s has the same keys and arguments in both languages', (path) => {
  const thai = new Map(flatten(files[path]!.messages))
  const english = new Map(flatten(files[path.replace(/\.th\.ts$/, '.en.ts')]!.messages))
  expect([...english.keys()]).toEqual([...thai.keys()])
  for (const [key, word] of thai) expect([key, argumentsOf(english.get(key)!)]).toEqual([key, argumentsOf(word)])
})

test('no two areas have one name', () => {
  const names = thaiFiles.map((path) => path.split('/').at(-1))
  expect(new Set(names).size).toBe(names.length)
})
