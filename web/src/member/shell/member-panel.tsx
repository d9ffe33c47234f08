import type { User } from '@megalot/contract'
import IconBan from '~icons/ban'
import IconBell from '~icons/bell'
import IconCircleCheck from '~icons/circle-check'
import IconDevices from '~icons/devices'
import IconFileDownload from '~icons/file-download'
import IconLock from '~icons/lock'
import IconLogout from '~icons/logout'
import IconMail from '~icons/mail'
import IconPlayerPause from '~icons/player-pause'
import IconShieldCheck from '~icons/shield-check'
import IconWallet from '~icons/wallet'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ContactButton } from '../contact/contact-button.tsx'
import { useSend } from '../../lib/forms/use-send.ts'
import { formatBaht } from '../../lib/format/money.ts'
import { leaveSharedDevice } from '../../lib/user/leave-shared-device.ts'
import { endSession } from '../../lib/user/log-off.ts'
import { hasKeptSlip, readDeviceUse } from '../../lib/device/device-use.ts'
import type { DeviceUse } from '../../lib/device/device-use.ts'
import { chooseTheme, useThemeChoice } from '../../lib/device/color-scheme.ts'
import { AppVersion } from '../../ui/app-version.tsx'
import { Button } from '../../ui/button.tsx'
import { LanguageSwitch } from '../../ui/language-switch.tsx'
import { switchLanguage } from '../../lib/i18n/language-store.ts'
import { ThemeSwitch } from '../../ui/theme-switch.tsx'
import classes from './member-panel.module.css'
import { useUnreadNews } from './news/unread-news.ts'
import { SharedDeviceDialog } from './shared-device-dialog.tsx'

const statusIcons = { NORMAL: IconCircleCheck, SUSPENDED: IconBan, DISABLED_BET: IconPlayerPause } as const

export function MemberPanel({ user, onLeave }: { user: User; onLeave?: () => void }) {
  const t = useTranslations('shell')
  const ofUser = useTranslations('user')
  const common = useTranslations('common')
  const unread = useUnreadNews((news) => news.unread)
  const theme = useThemeChoice(({ choice }) => choice)
  const StatusIcon = statusIcons[user.status]
  return (
    <div className={classes.panel}>
      <div>
        <p className={classes.username}>{user.username}</p>
        <p className={classes.line}>
          <span>{ofUser(`level.${user.level}`)}</span>
          <span className={classes.chip} data-status={user.status}>
            <StatusIcon size={16} stroke={2} aria-hidden="true" />
            {ofUser(`status.${user.status}`)}
          </span>
        </p>
      </div>
      <Credit user={user} />
      <div className={classes.choice}>
        <p className={classes.label}>{common('language.label')}</p>
        <LanguageSwitch onSwitch={switchLanguage} />
      </div>
      <div className={classes.choice}>
        <p className={classes.label}>{common('theme.label')}</p>
        <ThemeSwitch choice={theme} onChoose={chooseTheme} />
      </div>
      <nav className={classes.group} aria-label={t('panel.account')}>
        {/* The bet page of a phone has no room for the bell. */}
        {onLeave !== undefined && (
          <Link to="/announcements" className={classes.link} onClick={onLeave}>
            <IconBell size={20} stroke={1.6} aria-hidden="true" />
            {unread === 0 ? t('announcement.none') : t('announcement.unread', { count: String(unread) })}
          </Link>
        )}
        <Link to="/balance" className={classes.link} onClick={onLeave}>
          <IconWallet size={20} stroke={1.6} aria-hidden="true" />
          {t('balance')}
        </Link>
        <Link to="/account/password" className={classes.link} onClick={onLeave}>
          <IconLock size={20} stroke={1.6} aria-hidden="true" />
          {t('change_password')}
        </Link>
        <Link to="/account/email" className={classes.link} onClick={onLeave}>
          <IconMail size={20} stroke={1.6} aria-hidden="true" />
          {t('email')}
        </Link>
        <Link to="/account/sessions" className={classes.link} onClick={onLeave}>
          <IconDevices size={20} stroke={1.6} aria-hidden="true" />
          {t('sessions')}
        </Link>
        <Link to="/account/limits" className={classes.link} onClick={onLeave}>
          <IconShieldCheck size={20} stroke={1.6} aria-hidden="true" />
          {t('limits')}
        </Link>
        <Link to="/account/data" className={classes.link} onClick={onLeave}>
          <IconFileDownload size={20} stroke={1.6} aria-hidden="true" />
          {t('own_data')}
        </Link>
      </nav>
      <ContactButton isWide />
      <AppVersion />
      <div className={classes.foot}>
        <LogOffButton user={user} />
      </div>
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
      <dl className={classes.used}>
        <div>
          <dt>{t('used')}</dt>
          <dd className="number">{formatBaht(user.credit_used_satang)}</dd>
        </div>
        <div>
          <dt>{t('limit')}</dt>
          <dd className="number">{formatBaht(user.credit_remain_satang + user.credit_used_satang)}</dd>
        </div>
      </dl>
    </section>
  )
}

const endUse = (use: DeviceUse): Promise<void> => (use === 'shared' ? leaveSharedDevice() : endSession())

function LogOffButton({ user }: { user: User }) {
  const t = useTranslations('shell')
  const { isBusy, run } = useSend(endUse)
  const [isAsked, setIsAsked] = useState(false)
  const end = (use: DeviceUse): void => {
    setIsAsked(false)
    void run(use)
  }
  const logOff = (): void => {
    const use = readDeviceUse()
    if (use === null && hasKeptSlip(user.user_id)) setIsAsked(true)
    else end(use ?? 'own')
  }
  return (
    <>
      <Button variant="default" isWide icon={<IconLogout size={20} stroke={1.6} />} isBusy={isBusy} onClick={logOff}>
        {t('log_off')}
      </Button>
      <SharedDeviceDialog isOpen={isAsked} onClose={() => setIsAsked(false)} onAnswer={end} />
    </>
  )
}
