import IconBan from '~icons/ban'
import IconBell from '~icons/bell'
import IconBook2 from '~icons/book-2'
import IconCalendarCheck from '~icons/calendar-check'
import IconCalendarMonth from '~icons/calendar-month'
import IconCalendarTime from '~icons/calendar-time'
import IconChartBar from '~icons/chart-bar'
import IconChecks from '~icons/checks'
import IconDevices from '~icons/devices'
import IconEdit from '~icons/edit'
import IconFileDownload from '~icons/file-download'
import IconFlag from '~icons/flag'
import IconGauge from '~icons/gauge'
import IconHeartbeat from '~icons/heartbeat'
import IconHistory from '~icons/history'
import IconPercentage from '~icons/percentage'
import IconQrcode from '~icons/qrcode'
import IconReceipt2 from '~icons/receipt-2'
import IconShieldLock from '~icons/shield-lock'
import IconSpeakerphone from '~icons/speakerphone'
import IconTools from '~icons/tools'
import IconTrophy from '~icons/trophy'
import IconUserCog from '~icons/user-cog'
import IconUsers from '~icons/users'

export const consoleIcons = {
  ban: IconBan,
  bell: IconBell,
  book: IconBook2,
  calendar: IconCalendarTime,
  month: IconCalendarMonth,
  today: IconCalendarCheck,
  chart: IconChartBar,
  checks: IconChecks,
  edit: IconEdit,
  flag: IconFlag,
  gauge: IconGauge,
  percent: IconPercentage,
  qr: IconQrcode,
  devices: IconDevices,
  download: IconFileDownload,
  history: IconHistory,
  ready: IconHeartbeat,
  receipt: IconReceipt2,
  shield: IconShieldLock,
  speakerphone: IconSpeakerphone,
  staff: IconUserCog,
  tools: IconTools,
  trophy: IconTrophy,
  users: IconUsers,
} as const

export type ConsoleIcon = keyof typeof consoleIcons
