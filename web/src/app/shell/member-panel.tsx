import { Button } from '../../ui/button.tsx'
import { logOff } from '@megalot/contract'
import type { User } from '@megalot/contract'
import {
  IconBan,
  IconCircleCheck,
  IconEdit,
  IconLock,
  IconLogout,
  IconPlayerPause,
  IconShieldCheck,
  IconSpeakerphone,
  IconTools,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useAction } from '../../lib/forms/use-action.ts'
import { callRoute } from '../../lib/api/http-client.ts'
import { formatBaht } from '../../lib/format/money.ts'
import { closeSession } from '../../lib/session/session-store.ts'
import { AppVersion } from '../../ui/app-version.tsx'
import { LanguageSwitch } from '../../ui/language-switch.tsx'
import { ThemeSwitch } from '../../ui/theme-switch.tsx'
import classes from './member-panel.module.css'

const statusIcons = { NORMAL: IconCircleCheck, SUSPENDED: IconBan, DISABLED_BET: IconPlayerPause } as const

/** What uplines do, and what the office alone does. */
const oversightLinks = [
  { to: '/office/bills', name: 'bills', icon: IconTrash, isForOffice: false },
  { to: '/office/shares', name: 'shares', icon: IconUsers, isForOffice: false },
  { to: '/office/awards', name: 'awards', icon: IconEdit, isForOffice: true },
] as const

export function MemberPanel({ user, onLeave }: { user: User; onLeave?: () => void }) {
  const t = useTranslations('shell')
  const common = useTranslations('common')
  const StatusIcon = statusIcons[user.status]
  return (
    <div className={classes.panel}>
      <div>
        <p className={classes.username}>{user.username}</p>
        <p className={classes.line}>
          <span>{t(`level.${user.level}`)}</span>
          <span className={classes.chip} data-status={user.status}>
            <StatusIcon size={16} stroke={2} aria-hidden="true" />
            {t(`status.${user.status}`)}
          </span>
        </p>
      </div>
      <Credit user={user} />
      <div className={classes.group}>
        <p className={classes.label}>{common('language.label')}</p>
        <LanguageSwitch />
      </div>
      <div className={classes.group}>
        <p className={classes.label}>{common('theme.label')}</p>
        <ThemeSwitch />
      </div>
      <nav className={classes.group} aria-label={t('panel.account')}>
        <Link to="/account/password" className={classes.link} onClick={onLeave}>
          <IconLock size={20} stroke={1.6} aria-hidden="true" />
          {t('change_password')}
        </Link>
        {user.level !== 'member' &&
          oversightLinks
            .filter(({ isForOffice }) => user.is_office || !isForOffice)
            .map(({ to, name, icon: Icon }) => (
              <Link key={to} to={to} className={classes.link} onClick={onLeave}>
                <Icon size={20} stroke={1.6} aria-hidden="true" />
                {t(`oversight.${name}`)}
              </Link>
            ))}
        {user.level === 'member' && (
          <Link to="/account/limits" className={classes.link} onClick={onLeave}>
            <IconShieldCheck size={20} stroke={1.6} aria-hidden="true" />
            {t('limits')}
          </Link>
        )}
        {user.level === 'company' && (
          <Link to="/office/announcements" className={classes.link} onClick={onLeave}>
            <IconSpeakerphone size={20} stroke={1.6} aria-hidden="true" />
            {t('office.announcements')}
          </Link>
        )}
        {user.is_office && (
          <Link to="/office/maintenance" className={classes.link} onClick={onLeave}>
            <IconTools size={20} stroke={1.6} aria-hidden="true" />
            {t('office.maintenance')}
          </Link>
        )}
      </nav>
      <LogOffButton />
      <AppVersion />
    </div>
  )
}

function Credit({ user }: { user: User }) {
  const t = useTranslations('shell.credit')
  const remain = Math.max(0, user.credit_remain_satang)
  const all = remain + user.credit_used_satang
  const percent = all === 0 ? 0 : Math.round((user.credit_used_satang / all) * 100)
  return (
    <section className={classes.credit} aria-label={t('remain')}>
      <p className={classes.label}>{t('remain')}</p>
      <p className={classes.remain}>
        <span className="number">{formatBaht(user.credit_remain_satang)}</span>
      </p>
      <div className={classes.track} aria-hidden="true">
        <div className={classes.filled} style={{ width: `${percent}%` }} />
      </div>
      <meter
        className="visually-hidden"
        aria-label={t('bar', { percent: String(percent) })}
        max={100}
        value={percent}
      />
      <p className={classes.used}>
        <span>{t('used')}</span>
        <span className="number">{formatBaht(user.credit_used_satang)}</span>
      </p>
    </section>
  )
}

async function leave(): Promise<void> {
  try {
    await callRoute(logOff, { timeoutMs: 4_000 })
  } catch {
    // The device forgets the session in any case; the server lets it expire.
  }
  closeSession(null)
}

function LogOffButton() {
  const t = useTranslations('shell')
  const { isBusy, run } = useAction()
  return (
    <Button
      variant="default"
      isWide
      icon={<IconLogout size={20} stroke={1.6} />}
      isBusy={isBusy}
      onClick={() => void run(leave)}
    >
      {t('log_off')}
    </Button>
  )
}
