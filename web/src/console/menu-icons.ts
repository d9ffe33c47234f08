import IconBan from '~icons/ban'
import IconCalendarCheck from '~icons/calendar-check'
import IconBook from '~icons/book-2'
import IconCash from '~icons/cash'
import IconChartBar from '~icons/chart-bar'
import IconChecks from '~icons/checks'
import IconEdit from '~icons/edit'
import IconFileInvoice from '~icons/file-invoice'
import IconFlag from '~icons/flag'
import IconGauge from '~icons/gauge'
import IconHome from '~icons/home'
import IconPercentage from '~icons/percentage'
import IconReceipt2 from '~icons/receipt-2'
import IconShieldLock from '~icons/shield-lock'
import IconSpeakerphone from '~icons/speakerphone'
import IconTools from '~icons/tools'
import IconUserCog from '~icons/user-cog'
import IconUsers from '~icons/users'

export const consoleIcons = {
  ban: IconBan,
  today: IconCalendarCheck,
  book: IconBook,
  cash: IconCash,
  clearing: IconFileInvoice,
  chart: IconChartBar,
  checks: IconChecks,
  edit: IconEdit,
  flag: IconFlag,
  gauge: IconGauge,
  home: IconHome,
  percent: IconPercentage,
  receipt: IconReceipt2,
  shield: IconShieldLock,
  speakerphone: IconSpeakerphone,
  staff: IconUserCog,
  tools: IconTools,
  users: IconUsers,
} as const

export type ConsoleIcon = keyof typeof consoleIcons
