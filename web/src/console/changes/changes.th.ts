export const messages = {
  timetable: {
    every_day: 'ทุกวัน',
    month_days: 'วันที่ {days} ของเดือน',
    open: 'เปิด {time}',
    close: 'ปิด {time}',
    draw: 'ออกผล {time}',
    before: '{time} (ก่อนหน้า {days, number} วัน)',
    after: '{time} (วันถัดไป)',
    rounds: '{count, number} รอบ ทุก {minutes, number} นาที',
  },
} as const

declare global {
  interface AppMessages {
    changes: typeof messages
  }
}
