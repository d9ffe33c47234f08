import { Link } from '@tanstack/react-router'
import type { LinkProps } from '@tanstack/react-router'
import classes from './page-tabs.module.css'

interface PageTabsProps {
  label: string
  tabs: readonly { to: NonNullable<LinkProps['to']>; word: string }[]
}

/** The pages of one entry of the menu, beside each other. */
export function PageTabs({ label, tabs }: PageTabsProps) {
  return (
    <nav className={classes.tabs} aria-label={label}>
      {tabs.map(({ to, word }) => (
        <Link
          key={to}
          to={to}
          className={classes.tab}
          activeOptions={{ exact: true, includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
        >
          {word}
        </Link>
      ))}
    </nav>
  )
}
