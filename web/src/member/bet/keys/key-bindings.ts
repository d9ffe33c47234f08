// Every key of the bet page, once: the page and the grid find their actions here, and the help sheet lists them.

/** `page`: wherever the focus is, except in an open dialog. `grid`: in a cell of style A, where the keys of the page work too. */
export type KeyScope = 'page' | 'grid'

/** A key press; only what decides between bindings. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** Keys that an action is bound to. */
interface Chord {
  /** The sign that the key writes, or the name of the key … */
  key?: string
  /** … or its place on the keyboard, where a layout may write another sign there. */
  code?: string
  modifier?: 'control' | 'alt'
  /** Absent: with or without. */
  isShift?: boolean
}

interface KeyBinding {
  scope: KeyScope
  /** Its text in the help. */
  action: string
  /** The keys as the help shows them: their names are the same in both languages. */
  shown: readonly string[]
  /** Null: a key of the browser, or one that the cells handle by where the cursor stands in their text. */
  chord: Chord | null
  /** In a field for free text the key writes its own sign. */
  isForText?: boolean
}

export const keyBindings = [
  { scope: 'page', action: 'help', shown: ['?'], chord: { key: '?' }, isForText: true },
  { scope: 'page', action: 'send', shown: ['Ctrl', 'Enter'], chord: { key: 'Enter', modifier: 'control' } },
  {
    scope: 'page',
    action: 'undo',
    shown: ['Ctrl', 'Z'],
    chord: { code: 'KeyZ', modifier: 'control', isShift: false },
    isForText: true,
  },
  { scope: 'page', action: 'import', shown: ['Alt', 'I'], chord: { code: 'KeyI', modifier: 'alt' } },
  { scope: 'page', action: 'style', shown: ['Alt', 'S'], chord: { code: 'KeyS', modifier: 'alt' } },
  { scope: 'page', action: 'first_cell', shown: ['Alt', 'N'], chord: { code: 'KeyN', modifier: 'alt' } },
  { scope: 'page', action: 'close', shown: ['Esc'], chord: null },
  { scope: 'grid', action: 'next', shown: ['Enter'], chord: null },
  { scope: 'grid', action: 'line', shown: ['12=50*20', 'Enter'], chord: null },
  { scope: 'grid', action: 'repeat', shown: ['12', '↓'], chord: null },
  { scope: 'grid', action: 'previous', shown: ['Shift', 'Enter'], chord: null },
  { scope: 'grid', action: 'move', shown: ['←', '↑', '↓', '→'], chord: null },
  { scope: 'grid', action: 'paste', shown: ['Ctrl', 'V'], chord: null },
  { scope: 'grid', action: 'reverse', shown: ['Alt', 'R'], chord: { code: 'KeyR', modifier: 'alt' } },
  { scope: 'grid', action: 'remove', shown: ['Ctrl', 'Delete'], chord: { key: 'Delete', modifier: 'control' } },
] as const satisfies readonly KeyBinding[]

type Bound = Exclude<(typeof keyBindings)[number], { chord: null }>

/** The actions of a scope that a key press starts. */
export type KeyAction<Scope extends KeyScope> = Extract<Bound, { scope: Scope }>['action']

function isPressed(chord: Chord, press: KeyPress): boolean {
  const isControl = press.ctrlKey || press.metaKey
  if (isControl !== (chord.modifier === 'control') || press.altKey !== (chord.modifier === 'alt')) return false
  if (chord.isShift !== undefined && chord.isShift !== press.shiftKey) return false
  return chord.code === undefined ? press.key === chord.key : press.code === chord.code
}

/** The action that a key press starts in a scope, or null. */
export function findKeyAction<Scope extends KeyScope>(
  scope: Scope,
  press: KeyPress,
  isInText = false,
): KeyAction<Scope> | null {
  const bindings: readonly KeyBinding[] = keyBindings
  const found = bindings.find(
    (binding) =>
      binding.scope === scope &&
      binding.chord !== null &&
      !(isInText && binding.isForText === true) &&
      isPressed(binding.chord, press),
  )
  return (found?.action ?? null) as KeyAction<Scope> | null
}

/** Pairs of bindings that one key press could mean: the help shows the same keys, or both chords are pressed at once. */
export function findClashes(bindings: readonly KeyBinding[]): readonly string[] {
  return bindings.flatMap((one, index) =>
    bindings
      .slice(index + 1)
      .filter((other) => one.shown.join('+') === other.shown.join('+') || doChordsMeet(one.chord, other.chord))
      .map((other) => `${one.scope} ${one.action} and ${other.scope} ${other.action}: ${one.shown.join('+')}`),
  )
}

function doChordsMeet(one: Chord | null, other: Chord | null): boolean {
  if (one === null || other === null || one.modifier !== other.modifier) return false
  if (one.isShift !== undefined && other.isShift !== undefined && one.isShift !== other.isShift) return false
  return (one.key !== undefined && one.key === other.key) || (one.code !== undefined && one.code === other.code)
}
