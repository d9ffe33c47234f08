// The frame of the icons that `~icons/NAME` imports.

import { createElement, type FunctionComponent, type SVGAttributes } from 'react'

interface IconProps extends Omit<SVGAttributes<SVGSVGElement>, 'stroke'> {
  /** Width and height, in px. */
  size?: number
  /** Width of the lines, in the icon's grid of 24. */
  stroke?: number
}

export type Icon = FunctionComponent<IconProps>

/** An icon of lines. @param paths data of its paths */
export function outlineIcon(...paths: string[]): Icon {
  return (props) => drawIcon(paths, true, props)
}

/** An icon of filled shapes. */
export function filledIcon(...paths: string[]): Icon {
  return (props) => drawIcon(paths, false, props)
}

function drawIcon(paths: string[], isOutline: boolean, { size = 24, stroke = 2, ...rest }: IconProps) {
  const paint: SVGAttributes<SVGSVGElement> = isOutline
    ? { fill: 'none', stroke: 'currentColor', strokeWidth: stroke, strokeLinecap: 'round', strokeLinejoin: 'round' }
    : { fill: 'currentColor' }
  return createElement(
    'svg',
    { width: size, height: size, viewBox: '0 0 24 24', ...paint, ...rest },
    ...paths.map((data) => createElement('path', { d: data })),
  )
}
