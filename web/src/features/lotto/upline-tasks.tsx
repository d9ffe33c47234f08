import type { User } from '@megalot/contract'
import {
  IconChartBar,
  IconEdit,
  IconReceipt2,
  IconSpeakerphone,
  IconTools,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import classes from './upline-tasks.module.css'

const anybody = (): boolean => true
const ofOffice = (user: User): boolean => user.is_office
const ofCompany = (user: User): boolean => user.level === 'company'

/** What a user does who has a downline, or is of the office, and where. */
const tasks = [
  { to: '/bills', name: 'bills', icon: IconReceipt2, isFor: anybody },
  { to: '/reports', name: 'reports', icon: IconChartBar, isFor: anybody },
  { to: '/office/bills', name: 'remove', icon: IconTrash, isFor: anybody },
  { to: '/office/shares', name: 'shares', icon: IconUsers, isFor: anybody },
  { to: '/office/awards', name: 'awards', icon: IconEdit, isFor: ofOffice },
  { to: '/office/announcements', name: 'announcements', icon: IconSpeakerphone, isFor: ofCompany },
  { to: '/office/maintenance', name: 'maintenance', icon: IconTools, isFor: ofOffice },
] as const

/** The first thing on the page of who does not bet. */
export function UplineTasks({ user }: { user: User }) {
  const t = useTranslations('lotto.tasks')
  return (
    <nav aria-labelledby="upline-tasks" className={classes.tasks}>
      <h2 id="upline-tasks" className={classes.heading}>
        {t('title')}
      </h2>
      <ul className={classes.list}>
        {tasks
          .filter(({ isFor }) => isFor(user))
          .map(({ to, name, icon: Icon }) => (
            <li key={name}>
              <Link to={to} className={classes.task}>
                <Icon size={24} stroke={1.6} aria-hidden="true" className={classes.icon} />
                <span className={classes.words}>
                  <strong>{t(`${name}.title`)}</strong>
                  <span className={classes.text}>{t(`${name}.text`)}</span>
                </span>
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  )
}
