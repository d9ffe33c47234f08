import {
  IconBell,
  IconBook2,
  IconCalendarTime,
  IconChartBar,
  IconDevices,
  IconEdit,
  IconHelp,
  IconHistory,
  IconReceipt2,
  IconShieldLock,
  IconSpeakerphone,
  IconTools,
  IconTrash,
  IconTrophy,
  IconUserCog,
  IconUsers,
} from '@tabler/icons-react'

export const consoleIcons = {
  bell: IconBell,
  book: IconBook2,
  calendar: IconCalendarTime,
  chart: IconChartBar,
  devices: IconDevices,
  edit: IconEdit,
  help: IconHelp,
  history: IconHistory,
  receipt: IconReceipt2,
  shield: IconShieldLock,
  speakerphone: IconSpeakerphone,
  staff: IconUserCog,
  tools: IconTools,
  trash: IconTrash,
  trophy: IconTrophy,
  users: IconUsers,
} as const

export type ConsoleIcon = keyof typeof consoleIcons
