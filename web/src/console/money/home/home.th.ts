export const messages = {
  title: 'หน้าแรก',
  money: 'เงินของเรา',
  collect: 'ต้องเก็บ',
  pay: 'ต้องจ่าย',
  people: '{count, number} คน',
  above: 'กับสายบน',
  own_week: 'สัปดาห์นี้ของเรา',
  last_week: 'สัปดาห์ก่อน {word} {amount}',
  profit: 'กำไร',
  loss: 'ขาดทุน',
  even: 'เสมอ',
  worst: {
    title: 'เสี่ยงสุดของเรา',
    hint: 'จาก {count, number} งวดที่จะปิดก่อน นับเฉพาะส่วนที่เราถือ',
    result: '{top} บน · {bottom} ล่าง',
    none: 'ยังไม่มีงวดที่เสี่ยงขาดทุน',
  },
  closing: {
    title: 'งวดที่จะปิด',
    none: 'ยังไม่มีใครแทงงวดที่เปิดอยู่',
    tickets: '{count, number} บิล',
    closes: 'ปิดรับ {at}',
  },
  over: { title: 'เกินยอดตัด', none: 'ไม่มีใครถึงยอดตัด' },
  members: {
    title: 'สมาชิกใหม่ใน 7 วัน',
    none: 'ยังไม่มีสมาชิกใหม่',
    credit: 'ให้วงเงิน',
    credit_of: 'ให้วงเงิน {name}',
    since: 'สมัคร {at}',
  },
  proposals: {
    title: 'รอสำนักงานอนุมัติ',
    hint: 'ยังไม่บันทึก จนกว่าสำนักงานจะอนุมัติ',
    until: 'ภายใน {at}',
    withdraw: 'ถอนคำขอ',
    withdraw_of: 'ถอนคำขอ {name}',
    withdrawn: 'ถอนคำขอแล้ว',
  },
  waiting: {
    title: 'รอคุณ',
    disputes: 'แจ้งว่ายอดไม่ตรง {count, number} รายการ',
    clearings_below: 'ใบเคลียร์ของสายล่าง {count, number} ใบ',
    clearings_above: 'ใบเคลียร์จากสายบน {count, number} ใบ',
    none: 'ไม่มีเรื่องรอคุณ',
  },
} as const

declare global {
  interface AppMessages {
    home: typeof messages
  }
}
