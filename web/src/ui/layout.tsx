// The boxes that pages are laid out with. Distances are design tokens by their pixels: `gap={8}`, `gap={[row, column]}`.

import type { ComponentPropsWithRef, CSSProperties, ElementType, JSX, ReactNode } from 'react'
import classes from './layout.module.css'
import type { sizes } from './tokens.ts'

type Space = 0 | keyof typeof sizes.space
type Spaces = Space | readonly [Space, Space] | readonly [Space, Space, Space]

interface Look {
  gap?: Spaces
  pad?: Spaces
  /** The margin above the box. */
  above?: Space | 'auto'
  below?: Space
  align?: 'start' | 'center' | 'end' | 'baseline'
  justify?: 'start' | 'center' | 'end' | 'space-between'
  size?: 'fine' | 'small' | 'compact' | 'body' | 'lead' | 'title'
  tone?: 'dim' | 'good' | 'bad' | 'warn'
  strong?: boolean
  /** A list whose items have bullets. */
  marked?: boolean
  /** Digits of one width. */
  tabular?: boolean
  /** The face of a card. */
  framed?: boolean
  /** The greatest width, in pixels or characters. */
  most?: number | `${number}ch`
}

type Tag = keyof JSX.IntrinsicElements
type BoxProps<T extends Tag> = Look & { as?: T } & Omit<ComponentPropsWithRef<T>, keyof Look | 'as' | 'style'>

const lengthOf = (spaces: Spaces | undefined): string | undefined =>
  spaces === undefined ? undefined : `${[spaces].flat().join('px ')}px`

function draw(face: string | undefined, props: object, fallback: Tag, own?: CSSProperties): JSX.Element {
  const {
    as,
    className,
    gap,
    pad,
    above,
    below,
    align,
    justify,
    size,
    tone,
    strong,
    marked,
    tabular,
    framed,
    most,
    ...rest
  } = props as Look & {
    as?: Tag
    className?: string
  }
  const Element: ElementType = as ?? fallback
  const style = {
    ...own,
    gap: lengthOf(gap),
    padding: lengthOf(pad),
    marginTop: above,
    marginBottom: below,
    alignItems: align,
    justifyContent: justify,
    maxWidth: most,
    fontVariantNumeric: tabular ? 'tabular-nums' : undefined,
  }
  return (
    <Element
      {...rest}
      className={[classes.box, face, framed && classes.card, marked && classes.marked, className]
        .filter(Boolean)
        .join(' ')}
      style={style}
      data-size={size}
      data-tone={tone}
      data-strong={strong}
    />
  )
}

/** A paragraph, a heading or a span. */
export function Text<T extends Tag = 'p'>(props: BoxProps<T>) {
  return draw(undefined, props, 'p')
}

export function Heading<T extends Tag = 'h2'>(props: BoxProps<T>) {
  return draw(undefined, { size: 'body', strong: true, ...props }, 'h2')
}

/** What a page or a part is for, below its heading. */
export function Intro<T extends Tag = 'p'>(props: BoxProps<T>) {
  return draw(classes.intro, { tone: 'dim', most: '72ch', ...props }, 'p')
}

/** A remark in small type. */
export function Hint<T extends Tag = 'p'>(props: BoxProps<T>) {
  return draw(undefined, { tone: 'dim', size: 'small', ...props }, 'p')
}

/** A column. */
export function Stack<T extends Tag = 'div'>(props: BoxProps<T>) {
  return draw(classes.stack, props, 'div')
}

/** A line that wraps unless told otherwise. */
export function Row<T extends Tag = 'div'>({
  nowrap,
  inline,
  ...props
}: BoxProps<T> & { nowrap?: boolean; inline?: boolean }) {
  const style = { flexWrap: nowrap ? 'nowrap' : undefined, display: inline ? 'inline-flex' : undefined } as const
  return draw(classes.row, props, 'div', style)
}

/** Links beside each other, each as high as a finger needs. */
export function Links<T extends Tag = 'p'>(props: BoxProps<T>) {
  return draw(`${classes.row} ${classes.links}`, props, 'p')
}

interface Columns {
  /** The least width of a column in pixels. */
  least: number
  /** Stretches the columns if one line holds all children. */
  fit?: boolean
}

/** As many equal columns as there is room for. */
export function Grid<T extends Tag = 'div'>({ least, fit, ...props }: BoxProps<T> & Columns) {
  const columns = `repeat(auto-${fit ? 'fit' : 'fill'}, minmax(min(100%, ${least}px), 1fr))`
  return draw(classes.grid, props, 'div', { gridTemplateColumns: columns })
}

/** A column with a frame. Without a gap it is a plain block. */
export function Card<T extends Tag = 'div'>(props: BoxProps<T>) {
  return draw(props.gap === undefined ? undefined : classes.stack, { framed: true, ...props }, 'div')
}

interface FactsProps extends Look, Omit<ComponentPropsWithRef<'dl'>, keyof Look | 'style'> {
  facts?: readonly (readonly [label: string, value: ReactNode])[]
  /** Labels before their values instead of above them. */
  inLines?: boolean
}

/** Labels with their values. */
export function Facts({ facts = [], inLines, children, ...props }: FactsProps) {
  const rows = facts.map(([label, value]) => (
    <Fact key={label} label={label}>
      {value}
    </Fact>
  ))
  return draw(inLines ? classes.lines : classes.facts, { ...props, children: [rows, children] }, 'dl')
}

interface FactProps extends ComponentPropsWithRef<'dd'> {
  label: ReactNode
  /** Takes the whole width. */
  wide?: boolean
}

export function Fact({ label, wide, ...props }: FactProps) {
  return (
    <div data-wide={wide || undefined}>
      <dt>{label}</dt>
      <dd {...props} />
    </div>
  )
}
