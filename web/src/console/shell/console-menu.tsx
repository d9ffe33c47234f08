import type { User } from '@megalot/contract'
import IconLogout from '~icons/logout'
import { Link, useLocation } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { chooseTheme, useThemeChoice } from '../../lib/device/color-scheme.ts'
import { useSend } from '../../lib/forms/use-send.ts'
import { switchLanguage } from '../../lib/i18n/language-store.ts'
import { endSession } from '../../lib/user/log-off.ts'
import { AppVersion } from '../../ui/app-version.tsx'
import { Button } from '../../ui/button.tsx'
import { LanguageSwitch } from '../../ui/language-switch.tsx'
import { Hint, Stack, Text } from '../../ui/layout.tsx'
import { ThemeSwitch } from '../../ui/theme-switch.tsx'
import { WaitingCount } from '../day/approvals/waiting-count.tsx'
import { consoleIcons } from '../menu-icons.ts'
import { findScreen, navigationOf } from '../menu.ts'
import classes from './console-menu.module.css'
import { useScreenName } from './use-screen-name.ts'

/** The user, the menu and the settings: beside the page on a desktop, a drawer on a phone. */
export function ConsoleMenu({ user, onLeave }: { user: User; onLeave?: () => void }) {
  const t = useTranslations('console')
  const ofUser = useTranslations('user')
  const common = useTranslations('common')
  const theme = useThemeChoice(({ choice }) => choice)
  const nameOf = useScreenName()
  const current = useLocation({ select: ({ pathname }) => findScreen(pathname)?.screen.name })
  return (
    <Stack gap={16}>
      <div>
        <Text size="body" strong>
          {user.display_name || user.username}
        </Text>
        <Hint>
          {user.username} · {user.is_office ? t('office') : ofUser(`level.${user.level}`)}
        </Hint>
      </div>
      <Stack aria-label={t('menu.pages')} as="nav" gap={12} className={classes.groups}>
        {navigationOf(user).map(({ name, screens }) => (
          <section key={name}>
            <Text as="h2" size="fine" tone="dim" strong={false}>
              {t(`group.${name}`)}
            </Text>
            <ul>
              {screens.map((screen) => {
                const Icon = consoleIcons[screen.icon]
                return (
                  <li key={screen.name}>
                    <Link
                      to={screen.tabs[0].page.path}
                      className={classes.link}
                      activeOptions={{ exact: true, includeSearch: false }}
                      {...(screen.name === current ? { 'aria-current': 'page' as const } : {})}
                      onClick={onLeave}
                    >
                      <Icon size={18} stroke={1.6} aria-hidden="true" />
                      {nameOf(screen)}
                      {screen.name === 'approvals' && <WaitingCount />}
                    </Link>
                  </li>
                )
              })}
            </ul>
          </section>
        ))}
      </Stack>
      <Stack gap={10} className={classes.own}>
        <div>
          <Text size="fine" tone="dim" strong={false}>
            {common('language.label')}
          </Text>
          <LanguageSwitch onSwitch={switchLanguage} />
        </div>
        <div>
          <Text size="fine" tone="dim" strong={false}>
            {common('theme.label')}
          </Text>
          <ThemeSwitch choice={theme} onChoose={chooseTheme} />
        </div>
        <LogOffButton />
        <AppVersion />
      </Stack>
    </Stack>
  )
}

function LogOffButton() {
  const t = useTranslations('console')
  const { isBusy, run } = useSend(() => endSession())
  return (
    <Button
      variant="default"
      isWide
      icon={<IconLogout size={18} stroke={1.6} />}
      isBusy={isBusy}
      onClick={() => void run()}
    >
      {t('log_off')}
    </Button>
  )
}
