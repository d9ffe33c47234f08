import type { Page } from '@playwright/test'

/**
 * Finds controls that a finger cannot reach: those that are not on the screen, and those that something else covers at their
 * centre. What a list has scrolled away sideways is left out.
 * @param controls the selectors of the controls, by what they are called in the result
 */
export function findUnreachable(page: Page, controls: Readonly<Record<string, string>>): Promise<string[]> {
  return page.evaluate((named) => {
    return Object.entries(named).flatMap(([name, selector]) => {
      const found = [...document.querySelectorAll<HTMLElement>(`#root :is(${selector})`)].filter((one) =>
        one.checkVisibility(),
      )
      if (found.length === 0) return [`${name} is not there`]
      return found.flatMap((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect()
        const [x, y] = [(left + right) / 2, (top + bottom) / 2]
        if (one.closest('[data-scrolls-sideways]') !== null && (left < 0 || right > innerWidth)) return []
        const label = `${name} ${one.getAttribute('aria-label') ?? one.textContent}`
        if (top < 0 || left < 0 || bottom > innerHeight || right > innerWidth) return [`${label} is off the screen`]
        const met = document.elementFromPoint(x, y)
        return met !== null && (one.contains(met) || met.contains(one)) ? [] : [`${label} is under ${met?.className}`]
      })
    })
  }, controls)
}
