export const messages = {
  title: 'แทงหวย',
  search: 'ค้นหาชื่อหวย',
  order: { label: 'จัดเรียง', groups: 'ตามกลุ่ม', closing: 'ใกล้ปิดก่อน' },
  group: {
    favourites: 'รายการโปรด',
    all: 'ทั้งหมด',
    government: 'หวยไทย',
    lao: 'หวยลาว',
    hanoi: 'หวยฮานอย',
    malay: 'หวยมาเลย์',
    stock: 'หวยหุ้น',
    yeekee: 'ยี่กี',
  },
  open_until: 'เปิดถึง {time}',
  closed: 'ปิดรับ',
  reopens_at: 'เปิดอีกครั้ง {time}',
  contact_agent: 'ติดต่อเอเยนต์',
  off: 'หวยนี้ปิดให้บริการชั่วคราว',
  maintained: 'ปิดปรับปรุง ยังแทงไม่ได้',
  maintained_until: 'คาดว่าเสร็จ {time}',
  draft: 'โพยค้าง {rows, number} เลข · {total}',
  round: 'รอบที่ {round}',
  favourite: 'รายการโปรด: {name}',
  no_credit: 'คุณยังไม่มีเครดิต ติดต่อเอเยนต์เพื่อขอวงเงิน ระหว่างนี้ร่างโพยไว้ก่อนได้',
  nothing: 'ไม่พบหวยที่ค้นหา',
  nothing_hint: 'ลองค้นด้วยคำอื่น หรือล้างช่องค้นหา',
} as const

declare global {
  interface AppMessages {
    lotto: typeof messages
  }
}
