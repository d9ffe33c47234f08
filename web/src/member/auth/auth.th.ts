export const messages = {
  title: 'เข้าสู่ระบบ',
  username: 'ชื่อผู้ใช้',
  password: 'รหัสผ่าน',
  captcha: 'รหัสจากภาพ',
  captcha_hint: 'กรอกตัวอักษร 4 ตัวตามภาพ',
  captcha_image: 'ภาพรหัส 4 ตัว',
  captcha_refresh: 'เปลี่ยนภาพใหม่',
  captcha_failed: 'โหลดภาพไม่ได้ แตะปุ่มเพื่อขอภาพใหม่',
  submit: 'เข้าสู่ระบบ',
  show_password: 'แสดงหรือซ่อนรหัสผ่าน',
  to_register: 'สมัครสมาชิก',
  to_forgot: 'ลืมรหัสผ่าน',
  proof: {
    other: 'มองภาพไม่ชัด? ยืนยันแบบไม่ใช้ภาพ',
    working: 'กำลังยืนยัน ใช้เวลาไม่กี่วินาที',
    proven: 'ยืนยันแล้ว ไม่ต้องกรอกรหัสจากภาพ',
    failed: 'ยืนยันไม่สำเร็จ ลองอีกครั้ง',
    back: 'กลับไปใช้ภาพ',
  },
  problem: {
    username_required: 'กรุณากรอกชื่อผู้ใช้',
    username_form: 'ใช้ได้เฉพาะตัวอักษรภาษาอังกฤษหรือตัวเลข',
    username_short: 'ชื่อผู้ใช้ต้องมีอย่างน้อย 2 ตัวอักษร',
    username_long: 'ชื่อผู้ใช้ต้องไม่เกิน 255 ตัวอักษร',
    password_required: 'กรุณากรอกรหัสผ่าน',
    password_length: 'รหัสผ่านต้องมี 4 ถึง 100 ตัวอักษร',
    captcha_required: 'กรุณากรอกรหัสจากภาพ',
    captcha_length: 'รหัสจากภาพต้องมี 4 ตัวอักษรพอดี',
  },
} as const

declare global {
  interface AppMessages {
    auth: typeof messages
  }
}
