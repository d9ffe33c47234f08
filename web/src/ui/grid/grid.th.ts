export const messages = {
  count: '{count, number} รายการ',
  count_so_far: '{count, number}+ รายการ',
  count_of: '{count, number} จาก {total, number} รายการ',
  selected: 'เลือกแล้ว {count, number} รายการ',
  select_loaded: 'เลือกทุกแถวที่แสดง',
  unselect: 'เลิกเลือก',
  select_row: 'เลือก {name}',
  view: 'มุมมอง',
  sort: 'เรียงตาม',
  unsorted: 'ลำดับปกติ',
  ascending: '{column} น้อยไปมาก',
  descending: '{column} มากไปน้อย',
  columns: 'คอลัมน์ที่แสดง',
  views: 'มุมมองที่บันทึกไว้',
  share_view: 'ให้ทีมเห็นด้วย',
  view_shared: 'ทีมเห็น',
  view_shared_by: 'ของ {name}',
  no_views: 'ยังไม่มี ตั้งตัวกรองและคอลัมน์แล้วบันทึกไว้เปิดครั้งหน้าได้',
  view_name: 'ชื่อมุมมอง',
  save_view: 'บันทึก',
  remove_view: 'ลบมุมมอง {name}',
} as const

declare global {
  interface AppMessages {
    grid: typeof messages
  }
}
