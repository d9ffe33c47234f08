import {
  IconBell,
  IconBook2,
  IconCalendarTime,
  IconChartBar,
  IconEdit,
  IconReceipt2,
  IconSpeakerphone,
  IconTools,
  IconTrash,
  IconTrophy,
  IconUsers,
} from '@tabler/icons-react'

export const consoleIcons = {
  bell: IconBell,
  book: IconBook2,
  calendar: IconCalendarTime,
  chart: IconChartBar,
  edit: IconEdit,
  receipt: IconReceipt2,
  speakerphone: IconSpeakerphone,
  tools: IconTools,
  trash: IconTrash,
  trophy: IconTrophy,
  users: IconUsers,
} as const

export type ConsoleIcon = keyof typeof consoleIcons
