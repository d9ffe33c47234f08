import { useTranslations } from 'use-intl'
import { screenGroups, type ScreenName, type TabName } from '../menu.ts'

interface ShownScreen {
  name: ScreenName
  tabs: readonly { name: TabName }[]
}

/** The names of entries. An entry of several pages with a single one that the user may open has the name of that page. */
export function useScreenName() {
  const t = useTranslations('console')
  return ({ name, tabs }: ShownScreen): string => {
    const [only, ...others] = tabs
    return only === undefined || others.length > 0 || isAlone(name) ? t(`screen.${name}`) : t(`tab.${only.name}`)
  }
}

/** Whether the entry has one page. */
function isAlone(name: ScreenName): boolean {
  return screenGroups.some(({ screens }) => screens.some((screen) => screen.name === name && screen.tabs.length === 1))
}
