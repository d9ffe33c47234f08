// The design tokens: every colour, size, space, radius, duration and breakpoint of the product. Style sheets write them as
// custom properties, `var(--ink)`, `var(--space-8)`, and as media queries, `@media (--tablet-up)`; `web/design-tokens.ts`
// fills them in at the build. TypeScript imports them from here. `scripts/design-tokens.mjs` refuses literal values elsewhere.
//
// Colours are custom properties in the browser too, because they change with the theme. What never changes is inlined.

/** By theme. All pairs of ink and face pass WCAG 2.2 AA. */
export const lightColours = {
  /** Surfaces: the page, raised, sunken, and controls. */
  page: '#f4f6f7',
  surface: '#ffffff',
  sunken: '#edf0f2',
  raised: '#ffffff',
  'raised-hover': '#edf0f2',
  line: '#d9dfe3',
  'line-raised': '#ced4da',
  'line-strong': '#83909a',
  ink: '#17212a',
  'ink-dim': '#53606b',
  /** The one accent: as a face with `on-accent` upon it, as ink, and as a soft face. */
  accent: '#0b6667',
  'accent-hover': '#085152',
  'on-accent': '#ffffff',
  'accent-ink': '#0b6667',
  'accent-soft': '#e2f1f1',
  'accent-soft-hover': '#cde6e6',
  'good-ink': '#1c6b34',
  'good-soft': '#e4f3e8',
  'bad-ink': '#b42318',
  'bad-soft': '#fdeceb',
  'warn-ink': '#865200',
  'warn-soft': '#fdf1dc',
  /** The face of a button whose action cannot be taken back. */
  bad: '#c92a2a',
  'bad-hover': '#b42318',
  /** A control that cannot be used now. */
  off: '#e9ecef',
  'off-ink': '#7b8791',
  /** Behind a dialog, and below what floats. */
  scrim: 'rgb(10 16 20 / 50%)',
  shadow: 'rgb(0 0 0 / 18%)',
  brand: '#0b6667',
  'brand-dot': '#f0b429',
  /** White in every theme: pictures that are read by machines or drawn in dark ink. */
  paper: '#ffffff',
  'paper-ink': '#000000',
  'paper-bad-ink': '#b42318',
} as const

export type Colour = keyof typeof lightColours

/** Overrides of the dark theme. */
export const darkColours: Partial<Record<Colour, string>> = {
  page: '#12161a',
  surface: '#1b2126',
  sunken: '#151a1e',
  raised: '#232b31',
  'raised-hover': '#2d363c',
  line: '#323c43',
  'line-raised': '#3d4850',
  'line-strong': '#7b8993',
  ink: '#e3e9ec',
  'ink-dim': '#a5b2ba',
  accent: '#137d7d',
  'accent-hover': '#0b6667',
  'accent-ink': '#6cc5c4',
  'accent-soft': '#173435',
  'accent-soft-hover': '#1f4546',
  'good-ink': '#7fd195',
  'good-soft': '#16301f',
  'bad-ink': '#ff9c92',
  'bad-soft': '#3b1d1b',
  'warn-ink': '#f5c163',
  'warn-soft': '#372a12',
  off: '#232b31',
  'off-ink': '#6f7d86',
  shadow: 'rgb(0 0 0 / 50%)',
}

/** Overrides for print: black on white in every theme. */
export const paperColours: Partial<Record<Colour, string>> = {
  page: '#ffffff',
  surface: '#ffffff',
  sunken: '#ffffff',
  line: '#c4ccd1',
  'line-strong': '#83909a',
  ink: '#000000',
  'ink-dim': '#3d474f',
  'accent-ink': '#0b6667',
  'good-ink': '#1c6b34',
  'bad-ink': '#b42318',
  'warn-ink': '#865200',
  'good-soft': '#ffffff',
  'bad-soft': '#ffffff',
  'warn-soft': '#ffffff',
}

/** Values that are the same in every theme, by the group that begins their name: `--text-small`. */
export const sizes = {
  /** Type. `body` is the size of reading; below `fine` no sentence is set. */
  text: {
    print: '0.5625rem',
    tiny: '0.75rem',
    fine: '0.8125rem',
    small: '0.875rem',
    compact: '0.9375rem',
    body: '1rem',
    lead: '1.125rem',
    title: '1.25rem',
    heading: '1.375rem',
    figure: '1.5rem',
    display: '1.75rem',
    poster: 'clamp(2.5rem, 13vw, 3.75rem)',
  },
  /** Line heights. Thai stacks vowels and tone marks above and below its letters: `text` has room for them in every line. */
  leading: { text: '1.65', snug: '1.45', tight: '1.3' },
  /** Distances, by their pixels. */
  space: {
    2: '2px',
    4: '4px',
    6: '6px',
    8: '8px',
    10: '10px',
    12: '12px',
    14: '14px',
    16: '16px',
    20: '20px',
    24: '24px',
    32: '32px',
    40: '40px',
    48: '48px',
  },
  /** Corners: a mark, a small control, a control, a card, a sheet. */
  radius: { mark: '4px', small: '6px', control: '8px', card: '12px', sheet: '16px', pill: '999px' },
  /** Minimum height of touch targets and of fields. */
  size: { touch: '44px', field: '2.875rem' },
  duration: { swift: '0.18s', turn: '1s', breath: '1.6s' },
} as const

/** Widths at which the layout changes. `@media (--tablet-up)` is this wide or wider, `(--below-tablet)` is narrower. */
export const widths = { zoomed: 17, wide_phone: 36, tablet: 48, desktop: 64, wide: 75, widest: 112 } as const

/** Heights, in the same way: `(--below-short-height)`. Below `short` the tabs stand at the end of the page. */
export const heights = { short: 36, low: 38, modest: 45, tall: 51 } as const

function below(em: number): string {
  return `${em - 0.01}em`
}

/** A media query by its name in style sheets. */
export function mediaQueries(): ReadonlyMap<string, string> {
  const ofWidths = Object.entries(widths).flatMap(([key, em]): [string, string][] => {
    const name = key.replaceAll('_', '-')
    return [
      [`${name}-up`, `(min-width: ${em}em)`],
      [`below-${name}`, `(max-width: ${below(em)})`],
    ]
  })
  const ofHeights = Object.entries(heights).flatMap(([name, em]): [string, string][] => [
    [`${name}-height-up`, `(min-height: ${em}em)`],
    [`below-${name}-height`, `(max-height: ${below(em)})`],
  ])
  return new Map([...ofWidths, ...ofHeights])
}

/** `(--below-tablet)` for `matchMedia`. A literal, which the build inlines: the page's first script holds it. */
export const BELOW_TABLET_MEDIA = '(max-width: 47.99em)'
