// Every reason for which the server refuses a call: HTTP status, and the message in Thai and English. Services throw a
// code of this table and nothing else; screens choose what to show by the code.

export interface RefusalText {
  http: 400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503
  th: string
  en: string
}

export const refusals = {
  // Form of the call
  bad_input: { http: 400, th: 'ข้อมูลไม่ถูกต้อง กรุณาตรวจสอบอีกครั้ง', en: 'The data sent is not valid. Please check it' },
  payload_too_large: { http: 413, th: 'ข้อมูลมีขนาดใหญ่เกินไป', en: 'The data sent is too large' },
  request_timeout: {
    http: 408,
    th: 'ส่งข้อมูลนานเกินไป กรุณาลองอีกครั้ง',
    en: 'The data took too long to arrive. Please try again',
  },
  headers_too_large: { http: 431, th: 'ส่วนหัวของข้อมูลมีขนาดใหญ่เกินไป', en: 'The headers sent are too large' },
  unsupported_media_type: { http: 415, th: 'รองรับเฉพาะข้อมูลแบบ JSON', en: 'Only JSON is accepted' },
  too_many_requests: { http: 429, th: 'เรียกใช้งานถี่เกินไป กรุณารอสักครู่', en: 'Too many requests. Please wait a moment' },
  route_not_found: { http: 404, th: 'ไม่พบหน้าที่ต้องการ', en: 'Page Not Found' },
  not_found: { http: 404, th: 'ไม่พบข้อมูลที่ต้องการ', en: 'Not found' },
  not_allowed: { http: 403, th: 'คุณไม่มีสิทธิ์ใช้งานส่วนนี้', en: 'You are not allowed to do this' },
  server_error: {
    http: 500,
    th: 'ระบบขัดข้อง กรุณาลองใหม่อีกครั้ง',
    en: 'Something went wrong on our side. Please try again',
  },
  unavailable: {
    http: 503,
    th: 'ระบบไม่พร้อมให้บริการชั่วคราว กรุณาลองใหม่อีกครั้ง',
    en: 'The service is not available for a moment. Please try again',
  },

  /** The office's own message replaces this one if it has written one. Details hold both languages and `until_at`. */
  maintenance: {
    http: 503,
    th: 'ระบบปิดปรับปรุงชั่วคราว กรุณาลองใหม่ภายหลัง',
    en: 'Down for maintenance for a while. Please try again later',
  },

  // Money between people
  payment_over_credit: {
    http: 409,
    th: 'จ่ายได้ไม่เกินเครดิตคงเหลือของสมาชิก',
    en: "The payment exceeds the member's remaining credit",
  },
  payment_reversed: {
    http: 409,
    th: 'รายการนี้กลับรายการไปแล้ว หรือเป็นรายการกลับ',
    en: 'This entry has been reversed, or is a reversal',
  },
  cash_changed: {
    http: 409,
    th: 'เงินในมือเปลี่ยนไปแล้ว กรุณาดูยอดใหม่',
    en: 'The cash on hand has changed. Please check the new amount',
  },
  slip_exists: { http: 409, th: 'รายการนี้มีรูปสลิปแล้ว', en: 'This payment already has a slip' },
  dispute_closed: {
    http: 409,
    th: 'แจ้งรายการนี้ไม่ได้แล้ว: แจ้งไว้แล้ว ตอบแล้ว หรือเกิน 60 วัน',
    en: 'This payment can no longer be disputed or answered',
  },
  clearing_unpaid: {
    http: 409,
    th: 'ยังรับหรือจ่ายเงินไม่ครบตามใบเคลียร์ กรุณาบันทึกเงินก่อน',
    en: 'The statement is not paid yet. Please record the payment first',
  },
  clearing_changed: {
    http: 409,
    th: 'ใบเคลียร์เปลี่ยนสถานะแล้ว กรุณาเปิดใหม่',
    en: 'The clearing statement has moved on. Please open it again',
  },

  // Log-in and session
  not_signed_in: { http: 401, th: 'กรุณาเข้าสู่ระบบ', en: 'Please log in' },
  session_expired: {
    http: 401,
    th: 'หมดเวลาการใช้งาน กรุณาเข้าสู่ระบบอีกครั้ง',
    en: 'Your session has expired. Please log in again',
  },
  session_replaced: {
    http: 401,
    th: 'มีการเข้าสู่ระบบจากอุปกรณ์อื่น กรุณาเข้าสู่ระบบอีกครั้ง',
    en: 'Another device has logged in with this account. Please log in again',
  },
  wrong_captcha: {
    http: 422,
    th: 'รหัสภาพไม่ถูกต้องหรือหมดอายุ กรุณากรอกรหัสจากภาพใหม่',
    en: 'The picture code is wrong or has expired. Please enter the new one',
  },
  log_in_paused: {
    http: 429,
    th: 'ลองผิดหลายครั้งเกินไป กรุณารอสักครู่แล้วลองใหม่',
    en: 'Too many wrong tries. Please wait a moment and try again',
  },
  /**
   * The daily limit of failed log-ins is reached. A new password, mailed or set by an upline, lets the user log in from
   * an unknown browser. Office users may also log in with the right password and a proof of `proof_level`. Details:
   * `wait_ms`, until midnight in Bangkok; `proof_level`, the same for every name.
   */
  log_in_limit_reached: {
    http: 429,
    th: 'วันนี้มีการเข้าสู่ระบบผิดด้วยชื่อนี้หลายครั้งเกินไป กรุณาใช้เครื่องที่เคยเข้าสู่ระบบ ตั้งรหัสผ่านใหม่ หรือลองใหม่พรุ่งนี้ ผู้ใช้ของสำนักงานให้เครื่องพิสูจน์แทนรหัสจากภาพแล้วลองใหม่ได้',
    en: 'Too many wrong log-ins with this name today. Please use a device on which you have logged in before, set a new password, or try again tomorrow. People of the office can let this device prove it in place of the picture code, and try again',
  },
  password_expired: {
    http: 403,
    th: 'รหัสผ่านใช้ครั้งเดียวหมดอายุแล้ว กรุณาขอรหัสผ่านใหม่จากผู้ดูแลของคุณ',
    en: 'The one-time password has expired. Please ask your upline for a new one',
  },
  wrong_login: { http: 422, th: 'ชื่อผู้ใช้หรือรหัสผ่านไม่ถูกต้อง', en: 'Wrong username or password' },
  suspended: {
    http: 403,
    th: 'คุณถูกระงับการใช้งาน กรุณาติดต่อเอเยนต์หรือผู้ดูแล',
    en: 'You have been suspended. Please contact higher-ups',
  },
  session_suspended: {
    http: 401,
    th: 'คุณถูกระงับการใช้งาน กรุณาติดต่อเอเยนต์หรือผู้ดูแล',
    en: 'You have been suspended. Please contact higher-ups',
  },
  session_password_changed: {
    http: 401,
    th: 'มีการเปลี่ยนรหัสผ่านแล้ว กรุณาเข้าสู่ระบบด้วยรหัสผ่านใหม่',
    en: 'The password was changed. Please log in with the new one',
  },
  session_ended: {
    http: 401,
    th: 'ผู้ดูแลยุติการเข้าใช้งานครั้งนี้แล้ว กรุณาเข้าสู่ระบบอีกครั้ง',
    en: 'This session was ended by somebody in charge. Please log in again',
  },
  session_factors_reset: {
    http: 401,
    th: 'การยืนยันตัวตนสองชั้นของคุณถูกรีเซ็ต กรุณาเข้าสู่ระบบอีกครั้ง',
    en: 'Your two-step verification was reset. Please log in again',
  },
  // Shown under the title "Please update the latest version".
  old_version: {
    http: 409,
    th: 'หน้านี้เป็นเวอร์ชันเก่า กำลังโหลดเวอร์ชันใหม่ โพยที่ร่างไว้ยังอยู่ครบ',
    en: 'This page is an old version. The new one is loading; your draft slip is kept',
  },

  // Registration and passwords
  wrong_agent_code: {
    http: 422,
    th: 'รหัสเอเยนต์ไม่ถูกต้อง กรุณาสอบถามเอเยนต์ของคุณ',
    en: 'This agent code is not valid. Please ask your agent',
  },
  /** The code has reached its registrations for the day, in Bangkok time. */
  registration_limit_reached: {
    http: 409,
    th: 'วันนี้มีคนสมัครด้วยรหัสเอเยนต์นี้ครบจำนวนแล้ว กรุณาลองใหม่พรุ่งนี้ หรือขอรหัสอื่นจากเอเยนต์ของคุณ',
    en: 'This agent code has had all its registrations of today. Please try again tomorrow, or ask your agent for another code',
  },
  email_needed: {
    http: 422,
    th: 'กรุณากรอกอีเมล รหัสเอเยนต์นี้ต้องใช้อีเมลในการสมัคร',
    en: 'Please enter a mail address. This agent code needs one',
  },
  /** The address has reached its registrations and changes for the day, in Bangkok time. */
  email_limit_reached: {
    http: 409,
    th: 'วันนี้มีการใช้อีเมลนี้หลายครั้งเกินไป กรุณาใช้อีเมลอื่น หรือลองใหม่พรุ่งนี้',
    en: 'This mail address was used too often today. Please use another one, or try again tomorrow',
  },
  /**
   * Details: `most`. The principal and its assistants have reached the number of users created, or of taken names
   * tried, for today.
   */
  new_user_limit_reached: {
    http: 409,
    th: 'วันนี้สร้างผู้ใช้ใหม่ครบจำนวนที่ทำได้แล้ว กรุณาลองใหม่พรุ่งนี้',
    en: 'As many new users as possible were made today. Please try again tomorrow',
  },
  username_taken: { http: 409, th: 'ชื่อผู้ใช้นี้มีคนใช้แล้ว', en: 'This username is taken' },
  password_mismatch: { http: 422, th: 'รหัสผ่านไม่ตรงกัน', en: 'Password not match' },
  wrong_old_password: { http: 422, th: 'รหัสผ่านเดิมไม่ถูกต้อง', en: 'The old password is wrong' },
  recovery_link_over: {
    http: 422,
    th: 'ลิงก์นี้ใช้แล้วหรือหมดอายุ กรุณาขอลิงก์ใหม่',
    en: 'This link was used or has expired. Please ask for a new one',
  },

  email_link_over: {
    http: 422,
    th: 'ลิงก์นี้ใช้แล้วหรือหมดอายุ กรุณาขอลิงก์ใหม่ที่หน้าอีเมลในบัญชีของคุณ',
    en: 'This link was used or has expired. Ask for a new one on the mail page of your account',
  },

  /** The address of the first owner: unknown, expired, used, or the house has an owner. */
  setup_link_over: {
    http: 422,
    th: 'ลิงก์ตั้งค่านี้ใช้แล้วหรือหมดอายุ ถ้าระบบมีเจ้าของแล้วให้เข้าสู่ระบบ ถ้ายังไม่มี ให้สั่ง office setup-link บนเครื่องเพื่อขอลิงก์ใหม่',
    en: 'This set-up link was used or has expired. If there is an owner, log in. If there is none, run office setup-link on the machine for a new link',
  },
  /** Details: `username` of the invited owner who has not used the link yet; absent if there are two owners. */
  second_owner_exists: {
    http: 409,
    th: 'ระบบมีหรือเชิญเจ้าของคนที่สองไว้แล้ว ถ้าเขายังไม่ได้ตั้งรหัสผ่าน กรอกชื่อผู้ใช้เดิมเพื่อขอลิงก์ใหม่ ถ้าตั้งแล้ว เจ้าของคนต่อไปต้องมีสองคนอนุมัติที่หน้าเจ้าหน้าที่',
    en: 'A second owner exists or is invited. If no password was set yet, enter the same username to get a new link. Otherwise two people add further owners on the Staff page',
  },
  weak_password: {
    http: 422,
    th: 'รหัสผ่านสั้นเกินไป เจ้าหน้าที่ต้องใช้อย่างน้อย 12 ตัวอักษร เอเยนต์และผู้ช่วยอย่างน้อย 8 ตัวอักษร',
    en: 'The password is too short. Office users need at least 12 characters, agents and assistants at least 8',
  },
  common_password: {
    http: 422,
    th: 'รหัสผ่านนี้เดาได้ง่าย กรุณาตั้งรหัสผ่านอื่น',
    en: 'This password is easy to guess. Please choose another one',
  },
  same_password: {
    http: 422,
    th: 'รหัสผ่านใหม่ต้องไม่ซ้ำกับรหัสผ่านเดิม',
    en: 'The new password must differ from the old one',
  },
  wrong_password: { http: 422, th: 'รหัสผ่านไม่ถูกต้อง', en: 'The password is wrong' },
  /** Someone else has set the password. The user must set a new one first. */
  password_change_needed: {
    http: 403,
    th: 'กรุณาตั้งรหัสผ่านใหม่ของคุณเองก่อนใช้งาน',
    en: 'Please set a password of your own first',
  },

  // Second factor
  /** The password was right, but the session still needs a second factor. */
  second_factor_needed: {
    http: 403,
    th: 'กรุณายืนยันตัวตนขั้นที่สองเพื่อเข้าสู่ระบบ',
    en: 'Please complete two-step verification to log in',
  },
  /** The installation requires a second factor and the user has none. The session can only read, and enrol a factor. */
  second_factor_required: {
    http: 403,
    th: 'กรุณาตั้งค่าการยืนยันตัวตนสองชั้นก่อนทำรายการ',
    en: 'Please set up two-step verification before you change anything',
  },
  /** No second factor was verified recently in this session. Details: `max_age_ms`. */
  step_up_needed: {
    http: 403,
    th: 'กรุณายืนยันตัวตนอีกครั้งเพื่อทำรายการนี้',
    en: 'Please verify your identity again to do this',
  },
  wrong_factor: {
    http: 422,
    th: 'ยืนยันตัวตนไม่สำเร็จ กรุณาลองใหม่อีกครั้ง',
    en: 'Verification failed. Please try again',
  },
  enrolment_failed: {
    http: 422,
    th: 'ตั้งค่าไม่สำเร็จหรือหมดเวลา กรุณาเริ่มใหม่อีกครั้ง',
    en: 'The set-up failed or has expired. Please start again',
  },
  factor_exists: { http: 409, th: 'พาสคีย์นี้ถูกเพิ่มไว้แล้ว', en: 'This passkey has been added already' },
  too_many_factors: {
    http: 409,
    th: 'เพิ่มวิธียืนยันตัวตนครบจำนวนสูงสุดแล้ว',
    en: 'You have added as many verification methods as possible',
  },
  no_factor: {
    http: 409,
    th: 'คุณยังไม่ได้ตั้งค่าการยืนยันตัวตนสองชั้น',
    en: 'You have not set up two-step verification yet',
  },
  person_not_closed: {
    http: 409,
    th: 'ต้องระงับบัญชีนี้ก่อน จึงลบข้อมูลส่วนบุคคลได้',
    en: 'Suspend this account before its personal data is erased',
  },
  person_erased: { http: 409, th: 'ข้อมูลส่วนบุคคลของบัญชีนี้ถูกลบแล้ว', en: 'The personal data of this account is erased' },
  person_with_downline: {
    http: 409,
    th: 'บัญชีนี้ยังมีสมาชิก เอเยนต์ หรือผู้ช่วยอยู่ใต้สาย จึงลบข้อมูลไม่ได้',
    en: 'This account still has members, agents or assistants below it, so its data cannot be erased',
  },
  person_with_money: {
    http: 409,
    th: 'บัญชีนี้ยังมียอดเงินค้าง ต้องเคลียร์ให้เป็นศูนย์ก่อน',
    en: 'This account still has a balance. Settle it to zero first',
  },
  person_with_open_tickets: {
    http: 409,
    th: 'บัญชีนี้ยังมีบิลของงวดที่ยังไม่ออกผลหรือยังจ่ายไม่เสร็จ',
    en: 'This account still has tickets in periods without a result, or not fully paid',
  },
  person_excluded: {
    http: 409,
    th: 'สมาชิกคนนี้งดเล่นด้วยตัวเองอยู่ ต้องเก็บข้อมูลไว้จนครบกำหนด',
    en: 'This member is self-excluded. The data is kept until the exclusion ends',
  },
  user_without_factor: {
    http: 409,
    th: 'ผู้ใช้นี้ยังไม่ได้ตั้งค่าการยืนยันตัวตนสองชั้น',
    en: 'This user has not set up two-step verification',
  },
  last_factor: {
    http: 409,
    th: 'ระบบกำหนดให้มีการยืนยันตัวตนสองชั้น จึงลบวิธีสุดท้ายไม่ได้',
    en: 'Two-step verification is required here. The last method cannot be removed',
  },
  totp_not_available: {
    http: 409,
    th: 'ระบบนี้ยังไม่เปิดใช้แอปยืนยันตัวตน กรุณาใช้พาสคีย์',
    en: 'Authenticator apps are not available here. Please use a passkey',
  },
  totp_unreadable: {
    http: 409,
    th: 'แอปยืนยันตัวตนนี้ใช้ไม่ได้แล้ว เพราะระบบเปลี่ยนกุญแจ กรุณาใช้พาสคีย์หรือรหัสกู้คืน แล้วเพิ่มแอปใหม่',
    en: 'This authenticator app works no longer, because the key of the system was changed. Please use a passkey or a recovery code, and add the app anew',
  },

  // Markets and periods
  unknown_product: { http: 404, th: 'ไม่พบหวยที่เลือก', en: 'This market does not exist' },
  product_disabled: { http: 409, th: 'หวยนี้ปิดให้บริการชั่วคราว', en: 'This market is not available at present' },
  market_needs_quotas: {
    http: 409,
    th: 'ตั้งโควตาของหวยนี้ให้ครบทุกประเภทก่อนเปิด',
    en: 'Set a quota for each bet type of this market before you switch it on',
  },
  unknown_period: { http: 404, th: 'ไม่พบงวดที่เลือก', en: 'This period does not exist' },
  no_package: {
    http: 403,
    th: 'กรุณาติดต่อเอเยนต์เพื่อเปิดอัตราจ่าย',
    en: 'Contact your agent: this reward rate is not open to you',
  },
  package_not_held: {
    http: 409,
    th: 'สายบนไม่มีอัตราจ่ายนี้ จึงให้ต่อไม่ได้',
    en: 'The upline does not have this reward rate, so it cannot be given',
  },
  unknown_package: { http: 404, th: 'ไม่พบอัตราจ่ายที่เลือก', en: 'This reward rate does not exist' },
  period_exists: { http: 409, th: 'มีงวดนี้อยู่แล้ว', en: 'This period exists already' },
  draw_result_known: {
    http: 409,
    th: 'หวยนี้ออกผลของวันนี้ไปแล้ว จึงเพิ่มงวดไม่ได้',
    en: 'The draw of this market and day has been held. No period can be added for it',
  },
  draw_before_close: {
    http: 409,
    th: 'งวดอื่นของหวยนี้ในวันเดียวกันจะออกผลก่อนปิดรับ หรือยังรับแทงอยู่ตอนออกผล',
    en: 'Another period of this market and day is drawn before this one closes, or closes after its draw',
  },

  /**
   * Details: `draw_at`, by the timetable; `period_codes` if a timetable would leave periods that close after their
   * draw.
   */
  close_after_draw: {
    http: 409,
    th: 'เวลาปิดรับต้องไม่หลังเวลาออกผลตามตารางของหวยนี้ ถ้ามีงวดที่เปิดอยู่ ต้องเลื่อนหรือปิดงวดนั้นก่อน',
    en: 'Betting cannot close after the draw hour of the timetable. A period that is open has to be moved or closed first',
  },
  /** Details: `latest_draw_at`. */
  postponed_too_far: {
    http: 409,
    th: 'เลื่อนวันออกผลได้ไม่เกิน 7 วัน และต้องช้ากว่าเวลาออกผลเดิม',
    en: 'A draw can be postponed by up to seven days, and only to a later time',
  },
  /** Details: `exchange_code`, `day`. */
  exchange_closed: {
    http: 409,
    th: 'ตลาดหุ้นของหวยนี้ไม่เปิดซื้อขายในวันที่ {day} จึงไม่มีงวด',
    en: 'The stock exchange of this market is closed on {day}, so there is no period',
  },
  /** Details: `exchange_code`, `latest_close` in Bangkok time. */
  close_after_exchange: {
    http: 409,
    th: 'เวลาปิดรับต้องไม่หลัง {latest_close} เพราะต้องปิดก่อนตลาดหุ้นปิด',
    en: 'Betting has to close before the stock exchange does, by {latest_close}',
  },
  /** Details: `field`, `last_day`. */
  date_too_far: {
    http: 422,
    th: '{field}ต้องไม่หลัง {last_day} (60 วันจากวันนี้)',
    en: '{field} must not be after {last_day}, 60 days from today',
  },
  /** Details: `field`, `year`, `buddhist_year`. */
  date_in_buddhist_year: {
    http: 422,
    th: '{field}ต้องใช้ปี ค.ศ. ปี {buddhist_year} คือ ค.ศ. {year}',
    en: '{field} must use the Gregorian year. B.E. {buddhist_year} is {year}',
  },
  timetable_began_today: {
    http: 409,
    th: 'ตารางเวลาที่ใช้อยู่เพิ่งเริ่มใช้วันนี้ เปลี่ยนได้ตั้งแต่วันพรุ่งนี้',
    en: 'The present timetable began today. It can be changed from tomorrow on',
  },
  period_not_movable: {
    http: 409,
    th: 'งวดนี้ปิดรับหรือมีผลแล้ว จึงเลื่อนเวลาไม่ได้',
    en: 'This period is closed or has its result. Its times can no longer be moved',
  },

  // Placing a ticket
  bet_disabled: {
    http: 403,
    th: 'บัญชีของคุณถูกปิดการแทง กรุณาติดต่อเอเยนต์',
    en: 'Betting is disabled for your account. Please contact higher-ups',
  },
  play_break: {
    http: 403,
    th: 'คุณพักการแทงอยู่ ระบบจะเปิดให้แทงอีกครั้งเมื่อครบกำหนด',
    en: 'You are taking a break from betting. You can bet again when it is over',
  },
  play_limit_reached: {
    http: 422,
    th: 'โพยนี้เกินวงเงินที่คุณตั้งไว้เอง',
    en: 'This ticket is over a limit that you have set for yourself',
  },
  period_closed: { http: 409, th: 'งวดนี้ปิดรับแทงแล้ว', en: 'Betting for this period has already closed' },
  period_not_open: { http: 409, th: 'งวดนี้ยังไม่เปิดรับแทง', en: 'Betting for this period has not opened yet' },
  not_enough_credit: { http: 409, th: 'เครดิตไม่เพียงพอ', en: 'Not enough credit' },
  no_number: { http: 422, th: 'กรุณาใส่เลขอย่างน้อย 1 รายการ', en: 'At least 1 number is required' },
  zero_total: { http: 422, th: 'ยอดแทงรวมต้องมากกว่า 0 บาท', en: 'Total bet must be greater than 0 Baht' },
  too_many_items: { http: 422, th: 'จำนวนรายการเกินกำหนดต่อโพย', en: 'Too many items on one ticket' },
  bet_type_not_offered: {
    http: 422,
    th: 'มีประเภทการแทงที่หวยนี้ไม่เปิดรับ',
    en: 'A bet type on the slip is not offered by this market',
  },
  too_few_digits: { http: 422, th: 'มีเลขที่จำนวนหลักไม่ครบ', en: 'A number on the slip has too few digits' },
  bad_number: { http: 422, th: 'มีเลขที่ไม่ถูกต้อง', en: 'A number on the slip is not valid' },
  bad_amount: {
    http: 422,
    th: 'ราคาต้องเป็นบาทเต็มและมากกว่า 0',
    en: 'Amounts must be whole Baht, greater than 0',
  },
  under_min: { http: 422, th: 'มีเลขที่แทงต่ำกว่าขั้นต่ำ', en: 'Some numbers are under the minimum' },
  over_max: { http: 422, th: 'มีเลขที่แทงเกินจำนวนสูงสุด', en: 'You cannot bet more than the maximum' },
  over_max_per_number: {
    http: 422,
    th: 'มีเลขที่แทงเกินจำนวนสูงสุดต่อเลขของงวดนี้',
    en: 'Some numbers are over the maximum per stake in this period',
  },
  all_numbers_closed: { http: 422, th: 'เลขในโพยปิดทั้งหมด', en: 'All numbers on the slip are closed' },
  /**
   * The request names a rate or a discount that the package never offered in this period. Details: `rates`, a list of
   * `RateChange`; `discount`, a `DiscountChange`, if the discount differs.
   */
  rate_changed: {
    http: 409,
    th: 'อัตราจ่ายหรือส่วนลดเปลี่ยนไปแล้ว กรุณาตรวจสอบใหม่',
    en: 'The reward rate or the discount has changed. Please check it again',
  },
  /**
   * Sent instead of a waiting ticket if the member has ten waiting tickets in the period, or has taken back ten.
   * Details: `problems`, one for each closed item.
   */
  numbers_closed: { http: 409, th: 'มีเลขบางรายการในโพยปิดรับแล้ว', en: 'Some numbers on the slip are closed' },
  /** As `numbers_closed`, for a ticket that would wait for another reason. */
  too_many_waiting_tickets: {
    http: 409,
    th: 'งวดนี้มีโพยรอยืนยันหรือคืนโพยไปแล้วครบ 10 ใบ โพยที่รับได้ไม่ครบจึงต้องเลือก “รับเลย ไม่ต้องถาม” หรือลดยอดแทง',
    en: 'Ten of your tickets in this period wait or were taken back. To send one that is not received in full, choose “Accept anything” or bet less',
  },
  /** Optimistic concurrency control: the data has changed since the call was prepared. Nothing was written. */
  changed_meanwhile: {
    http: 409,
    th: 'ข้อมูลเพิ่งเปลี่ยนไประหว่างดำเนินการ กรุณาส่งอีกครั้ง',
    en: 'This was changed at the same moment. Please send it again',
  },
  /** For one row: the credit limit differs from the one the caller saw when computing the change. */
  credit_limit_changed: {
    http: 409,
    th: 'วงเงินเพิ่งถูกเปลี่ยนโดยผู้อื่น กรุณาปิดแล้วดูวงเงินใหม่',
    en: 'Somebody else has just changed the limit. Close this and look at the new one',
  },
  /** A change by filter would concern more users than one call may. */
  too_many_found: {
    http: 409,
    th: 'พบมากเกินไปสำหรับการทำครั้งเดียว กรุณากรองให้แคบลง',
    en: 'Too many people match for one change. Please narrow the filter',
  },
  /** The caller has sent different content under the same `request_id`. */
  request_id_reused: {
    http: 409,
    th: 'รหัสคำขอนี้ถูกใช้กับเนื้อหาอื่นแล้ว',
    en: 'This request id was used for something else',
  },

  // Changes of a placed ticket
  invalid_status: { http: 409, th: 'สถานะบิลไม่ถูกต้อง', en: 'Invalid status' },
  confirm_over: {
    http: 409,
    th: 'หมดเวลายืนยันบิลแล้ว ระบบรับยอดตามที่คำนวณไว้',
    en: 'The time to confirm is over. The computed amounts stand',
  },
  cancel_window_over: { http: 409, th: 'เลยเวลายกเลิกบิลแล้ว', en: 'The time to cancel this ticket is over' },
  too_close_to_close: {
    http: 409,
    th: 'ใกล้เวลาปิดรับ ยกเลิกบิลไม่ได้แล้ว',
    en: 'Too close to the close of betting to cancel',
  },
  too_many_cancelled: {
    http: 409,
    th: 'ยกเลิกบิลครบจำนวนของงวดนี้แล้ว',
    en: 'You have cancelled as many tickets as this period allows',
  },
  use_void: {
    http: 409,
    th: 'งวดนี้ปิดแล้ว ต้องให้เจ้าหน้าที่สองคนยกเลิกบิล',
    en: 'The period is closed: two office users must void the ticket',
  },
  period_voided: { http: 409, th: 'งวดนี้ถูกยกเลิกและคืนเงินแล้ว', en: 'This period is void: stakes are refunded' },
  nothing_to_repair: {
    http: 409,
    th: 'รายการเงินของบิลนี้ครบถ้วนแล้ว ไม่มีอะไรต้องแก้',
    en: 'The entries of this ticket are complete: there is nothing to repair',
  },
  repair_over_credit: {
    http: 409,
    th: 'สมาชิกมีเครดิตไม่พอให้หักยอดนี้ กรุณาเพิ่มวงเงินของสมาชิกก่อน แล้วเสนอใหม่',
    en: 'The credit of the member does not cover what the repair takes. Please raise its credit limit first, then propose it again',
  },
  period_settled: { http: 409, th: 'งวดนี้จ่ายรางวัลแล้ว', en: 'This period is settled already' },

  // Decisions of an upline about its downline
  not_enough_to_give: {
    http: 409,
    th: 'วงเงินของสายบนไม่พอ หรือต่ำกว่าที่ใช้ไปแล้ว',
    en: 'The limit is more than the upline has, or less than is in use',
  },
  /** Details: `levels`, which the parent can have directly below. */
  level_not_below: {
    http: 422,
    th: 'ระดับนี้เปิดใต้สายบนที่เลือกไม่ได้',
    en: 'This level cannot stand directly below the chosen upline',
  },
  /** Details: `field`. */
  permission_missing: {
    http: 403,
    th: 'คุณไม่มีสิทธิ์กำหนดข้อมูลบางช่องในฟอร์มนี้',
    en: 'You are not allowed to set one of the fields of this form',
  },
  /** Limit on records that the caller creates and can switch off or suspend. Details: `most`. */
  too_many_active: {
    http: 409,
    th: 'มีที่ใช้งานอยู่ครบจำนวนสูงสุดแล้ว กรุณาปิดหรือระงับที่ไม่ใช้ก่อน',
    en: 'As many as possible are in use. Please switch off or suspend one that is not needed first',
  },
  /** A list on the member's account is full. Details: `most`. */
  too_many_kept: {
    http: 409,
    th: 'บันทึกไว้ครบจำนวนสูงสุดแล้ว กรุณาลบรายการที่ไม่ใช้ก่อน',
    en: 'This list is full. Please remove an entry that you no longer need',
  },
  /** Details: `most`. */
  too_many_report_files: {
    http: 429,
    th: 'กำลังสร้างไฟล์รายงานอยู่หลายไฟล์ กรุณารอให้เสร็จก่อน',
    en: 'Several report files are being written. Please wait until they are ready',
  },
  report_file_limit_reached: {
    http: 409,
    th: 'วันนี้สร้างไฟล์รายงานครบขนาดที่ทำได้แล้ว กรุณาลองใหม่พรุ่งนี้',
    en: 'Report files of as many bytes as possible were written today. Please try again tomorrow',
  },
  unknown_limit_rule: { http: 404, th: 'ไม่พบรายการเลขนี้', en: 'There is no such limit rule' },
  limit_rule_undone: { http: 409, th: 'รายการเลขนี้ถูกยกเลิกไปแล้ว', en: 'This limit rule was undone already' },
  limit_rule_over: {
    http: 409,
    th: 'งวดทั้งหมดของรายการเลขนี้ปิดรับแล้ว จึงยกเลิกไม่ได้',
    en: 'All periods of this limit rule have closed. It cannot be undone',
  },
  /** Details: `most`. */
  limit_rule_too_long: {
    http: 422,
    th: 'รายการเลขยาวเกินไป กรุณาแบ่งเป็นหลายรายการ',
    en: 'This limit rule is too long. Please divide it into several',
  },
  /** Details: `product_code`, `most`, the maximum of numbers with a standing limit in the market. */
  too_many_standing_numbers: {
    http: 409,
    th: 'เลขที่ตั้งไว้ทุกงวดของหวยนี้มีมากเกินไป เพราะหวยนี้มีหลายงวด กรุณายกเลิกรายการที่ไม่ใช้ หรือตั้งโควตาของหวยแทน',
    en: 'Too many numbers of this market are set for every period, because it has many periods. Please undo those that are not needed, or set its quota instead',
  },
  /** Details: `product_code`, `most`, the maximum of numbers in all standing rules of the market together. */
  too_many_standing_rules: {
    http: 409,
    th: 'รายการเลขทุกงวดของหวยนี้ซ้อนกันมากเกินไป กรุณายกเลิกรายการที่ไม่ใช้แล้ว',
    en: 'Too many rules for every period of this market lie one above the other. Please undo those that are not needed',
  },
  status_set_above: {
    http: 409,
    th: 'ผู้ดูแลระดับสูงกว่าเป็นผู้กำหนดสถานะนี้ คุณเปลี่ยนไม่ได้',
    en: 'Somebody above you has set this status. You cannot change it',
  },

  // Office users and assistants
  more_than_own: {
    http: 409,
    th: 'คุณให้สิทธิ์ที่ตัวเองไม่มีไม่ได้',
    en: 'You cannot grant a permission that you do not have',
  },
  last_owner: {
    http: 409,
    th: 'ต้องมีเจ้าของระบบอย่างน้อยหนึ่งคน',
    en: 'The office needs at least one owner',
  },

  // Approvals: what one person may not do alone
  /** Details: `kind`, the proposal to make instead. */
  approval_needed: {
    http: 409,
    th: 'รายการนี้ต้องมีสองคน กรุณาส่งคำขอให้สำนักงานอนุมัติ',
    en: 'This needs two people. Please send it for approval by the office',
  },
  approval_same_person: {
    http: 409,
    th: 'คุณอนุมัติคำขอของตัวเองหรือของผู้ช่วยไม่ได้ ต้องให้เจ้าหน้าที่อีกคนตัดสิน',
    en: 'This is a proposal of your own, or of an assistant. A different office user must decide it',
  },
  /** Limit per person, including its assistants. Details: `most`. */
  too_many_proposals: {
    http: 409,
    th: 'คุณมีคำขอที่รอการอนุมัติครบจำนวนสูงสุดแล้ว กรุณารอให้ตัดสิน หรือถอนคำขอที่ไม่ต้องการก่อน',
    en: 'As many of your proposals as possible are waiting. Please let some be decided, or withdraw one that is not needed',
  },
  already_proposed: {
    http: 409,
    th: 'มีคำขอนี้รอการอนุมัติอยู่แล้ว ต้องให้เจ้าหน้าที่อีกคนตัดสินคำขอนั้น',
    en: 'This has been proposed already: the proposal waits for a second office user to decide it',
  },
  approval_not_own: {
    http: 409,
    th: 'ถอนได้เฉพาะคำขอของตัวเอง',
    en: 'Only your own proposals can be withdrawn',
  },
  /**
   * Details: `changed`: `subject`, with its current state as `now`; `return`, with the increased `return_rate`;
   * `proposer`, who has lost the permission; or `payload`, which is of an older version.
   */
  approval_outdated: {
    http: 409,
    th: 'ข้อมูลเปลี่ยนไปหลังจากส่งคำขอ กรุณาส่งคำขอใหม่',
    en: 'Something has changed since this was proposed. Please propose it again',
  },
  approval_expired: { http: 409, th: 'คำขอนี้หมดอายุแล้ว', en: 'This proposal has expired' },
  /** Details: `state`. */
  approval_decided: { http: 409, th: 'คำขอนี้มีผู้ตัดสินไปแล้ว', en: 'This proposal has been decided already' },
  /**
   * Details: `returns`, each with a bet type and its theoretical return in hundredths of a percent; `max_return_rate`.
   */
  return_too_high: {
    http: 422,
    th: 'อัตราคืนตามทฤษฎีเกิน 120% จึงตั้งไม่ได้',
    en: 'The theoretical return would be above 120 %',
  },

  share_over_parent: {
    http: 409,
    th: 'ส่วนที่ทั้งสายถือได้หรือค่าคอมเกินที่สายบนให้ได้ หรือน้อยกว่าที่สายล่างมีอยู่',
    en: 'What the line may hold together, or the commission, passes what the upline can give or is less than the downline has',
  },

  // Reports
  signal_span_too_long: { http: 422, th: 'เลือกช่วงวันที่ได้ไม่เกิน 31 วัน', en: 'Signals cover at most 31 days' },
  span_too_long: { http: 422, th: 'เลือกช่วงวันที่ได้ไม่เกิน 366 วัน', en: 'A report covers at most 366 days' },

  // Awards and settlement
  period_still_open: { http: 409, th: 'งวดนี้ยังเปิดรับแทงอยู่', en: 'This period is still open for betting' },
  award_too_early: {
    http: 409,
    th: 'ยังไม่ถึงเวลาออกผลของงวดนี้ จึงยังใส่ผลรางวัลไม่ได้',
    en: 'This period is not drawn yet. Its result can be entered after the draw',
  },
  award_bad_result: { http: 422, th: 'ผลรางวัลไม่ครบหรือไม่ถูกต้อง', en: 'The result is incomplete or not valid' },
  award_wrong_date: { http: 409, th: 'วันที่ไม่ตรงกับงวดนี้', en: 'The date is not that of this period' },
  award_same_person: {
    http: 409,
    th: 'ต้องให้เจ้าหน้าที่อีกคนยืนยันผลรางวัล',
    en: 'A different office user must repeat the result',
  },
  award_locked: {
    http: 409,
    th: 'ผลรางวัลที่กรอกสองครั้งไม่ตรงกัน งวดนี้ถูกล็อกเพื่อตรวจสอบ',
    en: 'The two results differ. The period is locked for review',
  },
  award_not_settled: {
    http: 409,
    th: 'งวดนี้ยังไม่ได้จ่ายรางวัล จึงยังแก้ผลรางวัลไม่ได้',
    en: 'This period is not settled: there is nothing to correct yet',
  },
  award_not_entered: {
    http: 409,
    th: 'งวดนี้ยังไม่มีผลที่กรอกไว้',
    en: 'Nobody has entered a result for this period',
  },
  award_same_result: { http: 409, th: 'ผลรางวัลเหมือนเดิม', en: 'That is the result as it stands' },
  award_exists: { http: 409, th: 'งวดนี้มีผลรางวัลแล้ว', en: 'This period already has its result' },
} as const satisfies Record<string, RefusalText>

export type RefusalCode = keyof typeof refusals

/** The three steps of placing a ticket, in order (§4 of the specification). */
export const placingSteps = ['check_ticket', 'check_quota', 'create_ticket'] as const
export type PlacingStep = (typeof placingSteps)[number]

/**
 * The step that fails with each code of `placeOrder`. *Check ticket* covers the call, the member, the market, the
 * period and each item by itself; *check quota* covers limits per number and the member's credit; *create ticket*
 * covers the write. This table is separate from the messages because the browser loads the messages from the server.
 */
export const placingStepOf = {
  bad_input: 'check_ticket',
  payload_too_large: 'check_ticket',
  unsupported_media_type: 'check_ticket',
  too_many_requests: 'check_ticket',
  maintenance: 'check_ticket',
  not_signed_in: 'check_ticket',
  session_expired: 'check_ticket',
  session_replaced: 'check_ticket',
  session_suspended: 'check_ticket',
  session_factors_reset: 'check_ticket',
  session_ended: 'check_ticket',
  session_password_changed: 'check_ticket',
  password_change_needed: 'check_ticket',
  not_allowed: 'check_ticket',
  bet_disabled: 'check_ticket',
  play_break: 'check_ticket',
  product_disabled: 'check_ticket',
  unknown_period: 'check_ticket',
  period_not_open: 'check_ticket',
  period_closed: 'check_ticket',
  no_package: 'check_ticket',
  rate_changed: 'check_ticket',
  no_number: 'check_ticket',
  zero_total: 'check_ticket',
  too_many_items: 'check_ticket',
  bet_type_not_offered: 'check_ticket',
  too_few_digits: 'check_ticket',
  bad_number: 'check_ticket',
  bad_amount: 'check_ticket',
  under_min: 'check_ticket',
  over_max: 'check_ticket',
  over_max_per_number: 'check_quota',
  all_numbers_closed: 'check_quota',
  numbers_closed: 'check_quota',
  too_many_waiting_tickets: 'check_quota',
  not_enough_credit: 'check_quota',
  play_limit_reached: 'check_quota',
  request_id_reused: 'create_ticket',
  unavailable: 'create_ticket',
  server_error: 'create_ticket',
} as const satisfies Partial<Record<RefusalCode, PlacingStep>>

/** The step that failed. Codes outside the table come from the write. */
export function stepOfRefusal(code: string): PlacingStep {
  return (placingStepOf as Partial<Record<string, PlacingStep>>)[code] ?? 'create_ticket'
}
export type Language = 'th' | 'en'

/** Labels of the fields that refusals name. */
const fieldNames: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  first_day: { th: 'วันเริ่มใช้', en: 'The first day' },
  day: { th: 'วันที่', en: 'The day' },
  period_date: { th: 'วันที่ของงวด', en: 'The day of the period' },
  open_at: { th: 'เวลาเปิดรับ', en: 'The opening time' },
  close_at: { th: 'เวลาปิดรับ', en: 'The closing time' },
  draw_at: { th: 'เวลาออกผล', en: 'The draw time' },
}

/** The message of a refusal, with details filled into its placeholders. */
export function refusalSentence(
  code: RefusalCode,
  details: Readonly<Record<string, unknown>>,
  language: Language,
): string {
  return refusals[code][language].replace(/\{(\w+)\}/g, (_place, name: string) => {
    const value = details[name]
    if (name === 'field' && typeof value === 'string') return fieldNames[value]?.[language] ?? value
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  })
}
