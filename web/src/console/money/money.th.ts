export const messages = {
  balance: { collect: 'ต้องเก็บ', pay: 'ต้องจ่าย', clear: 'ครบแล้ว' },
  /** The other side is the parent. */
  above: { collect: 'ต้องเก็บจากบน', pay: 'ต้องส่งขึ้น', clear: 'ครบแล้ว' },
  method: { cash: 'เงินสด', transfer: 'โอน', offset: 'หักกลบ' },
  clearing: { weekly: 'เคลียร์ทุกจันทร์', rolling: 'ยกยอดไปเรื่อยๆ', at_figure: 'เมื่อถึงยอดตัด' },
} as const

declare global {
  interface AppMessages {
    money: typeof messages
  }
}
