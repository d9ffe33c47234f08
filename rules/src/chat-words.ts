// The words of chats: columns, ways to write many numbers, prices, totals, and words that name no bet.
// A run of letters is split into known words, because Thai and Lao writing has no spaces.

export type ColumnName = 'top' | 'straight' | 'bottom' | 'roll' | 'front' | 'back' | 'run'

/** `set` may mean all orders or a set at one price. `row` may mean front, back or both. */
export type ModeName = 'reverse' | 'doors' | 'set' | 'nineteen' | 'row' | 'row_front' | 'row_back'

/** Words that need no value. */
type PlainKind =
  /** A price for every number, as in "ตัวละ". */
  | 'each'
  | 'baht'
  /** "บ" or "บ.": Baht after an amount, top elsewhere. */
  | 'baht_or_top'
  | 'total'
  /** What a total counts, as in "3 ใบ". */
  | 'unit'
  /** Politeness and words around an order. */
  | 'fill'
  /** "กับ" between numbers. */
  | 'and'
  | 'cancel'
  | 'edit'
  | 'add'
  | 'market'
  | 'date'
  /** "น." after a time. */
  | 'clock'
  | 'contact'
  | 'paid'
  /** News: results, closed numbers. */
  | 'note'
  /** Questions, and words that qualify a price, as in "เท่ากัน". */
  | 'doubt'
  /** Thousands in words and foreign money. */
  | 'money'
  /** The start of a name, as in "พี่". */
  | 'title'
  | 'name'

export type Word =
  | { readonly kind: 'column'; readonly columns: readonly ColumnName[] }
  | { readonly kind: 'mode'; readonly mode: ModeName }
  | { readonly kind: 'digits'; readonly digits: number }
  | { readonly kind: PlainKind }

export type WordKind = Word['kind']

const columnWords = {
  top: 'บน ข้างบน ด้านบน บนๆ บ่น top ບົນ ເທິງ',
  bottom: 'ล ล่าง ข้างล่าง ด้านล่าง ลาง ล่างๆ bottom bot ລ່າງ ລຸ່ມ',
  'top bottom': 'บล',
  'bottom top': 'ลบน',
  straight: 'ตรง ตรงๆ เต็ง เต้ง เต๊ง เตง เต็งๆ ເຕັງ',
  roll: 'ต ท โต๊ด โต้ด โตด โต็ด โต๋ด โต่ด โต๊ต โต้ต โต๊ท โต้ท โตท โต๊ดๆ โต๊ค tod toad tode roll ໂຕດ ໂຕ໊ດ',
  'straight roll': 'ตท',
  'top roll': 'บต',
  front: 'หน้า หน้าๆ front',
  back: 'ท้าย หลัง',
  run: 'ว วิ่ง ลอย วิ้ง run ແລ່ນ ວິ່ງ ลอยๆ',
  'run top': 'วบ วบน',
  'run bottom': 'วล',
} as const

const modeWords: Readonly<Record<ModeName, string>> = {
  reverse: 'กลับ กลับเลข กลับตัว กลับด้วย ไปกลับ สลับ สลับเลข เลขกลับ กับเลข ກັບ ປີ້ນ',
  doors: 'ประตู ป ทุกประตู ครบประตู หกประตู หกกลับ ปต',
  set: 'ชุด เลขชุด',
  nineteen: 'สิบเก้าประตู',
  row: 'รูด',
  row_front: 'รูดหน้า',
  row_back: 'รูดหลัง รูดท้าย',
}

/** Spellings that are likely but not certain to be a column or a mode. */
const misspelt: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'บ่น ลาง เต้ง เต๊ง เตง โต๋ด โต่ด โต๊ต โต้ต โต๊ท โต้ท โตท โต๊ค วิ้ง กับเลข'.split(' '),
)

export function isMisspelt(word: string): boolean {
  return misspelt.has(word)
}

const digitWords: Readonly<Record<number, string>> = {
  1: 'หนึ่งตัว ตัวเดียว',
  2: 'สองตัว สองหลัก',
  3: 'สามตัว สามหลัก',
}

const plainWords: Readonly<Record<Exclude<PlainKind, 'name'>, string>> = {
  each: 'ละ ล่ะ ตัวละ ตัวล่ะ อย่างละ อย่างล่ะ ใบละ คู่ละ เลขละ อันละ ประตูละ เบอร์ละ ลูกละ หลักละ ชุดละ ข้างละ ฝั่งละ ต่อตัว ราคา ราคาละ ทุกตัว ทุกเลข ทุกอย่าง each ໂຕລະ ຕົວລະ ລະ',
  baht: 'บาท บาด บาทถ้วน ถ้วน b baht bath bht thb ບາດ ບາທ',
  baht_or_top: 'บ',
  total:
    'รวม รวมๆ รวมยอด ยอด ยอดรวม ยอดเงิน ยอดซื้อ ยอดแทง ยอดโพย ยอดทั้งหมด รวมเงิน รวมทั้งหมด รวมทั้งสิ้น รวมเป็น รวมเป็นเงิน เป็นเงิน ทั้งหมด ทั้งสิ้น รวมกัน รวมบิล สรุป สรุปยอด total sum ລວມ ທັງໝົດ ລວມທັງໝົດ',
  unit: 'ตัว หลัก รายการ ใบ บิล โพย คู่ ໂຕ ຕົວ',
  fill: 'ครับ คับ คัฟ ครัช ครัฟ คร้าบ คราบ ค้าบ คาบ ครับผม ค่ะ คะ ค่า คร่ะ ค้ะ จ้า จ้ะ จ๊ะ จ๊า จร้า นะ น่ะ น้า ฮะ ฮับ เลย ด้วย ด้วยกัน หน่อย ที จัด จัดไป ฝาก ส่ง ส่งโพย ขอ เอา เอาเลข ซื้อ แทง แทงเลข ลง ลงเลข เลข ตัวเลข ขอบคุณ ขอบใจ สวัสดี หวัดดี ดีครับ ดีค่ะ โอเค ผม หนู ฉัน เรา เค้า ทั้ง ตาม ตามนี้ นี้ ดังนี้ หวย รบกวน รับ รับทราบ เรียบร้อย แล้ว จ้าา เฮง รวย เฮงๆ รวยๆ โชคดี ปังๆ ok okay oke thanks thank thx ty you hi hello please pls ขอบคุณมาก มาก มากๆ สาธุ ຂອບໃຈ ສະບາຍດີ ຈ້າ ເດີ້ ເອົາ ເລກ',
  and: 'และ กับ แล้วก็ and ແລະ',
  cancel:
    'ยกเลิก ยกเลิก ไม่เอา ไม่เอาแล้ว ไม่ลง ไม่ซื้อ ไม่แทง ไม่ใช่ ไม่ต้อง ลบ ลบออก ตัด ตัดออก งด เอาออก คืน อย่า อย่าลง เลิก ถอน ผิด ลงผิด พิมพ์ผิด ส่งผิด ล้าง cancel delete remove ຍົກເລີກ ບໍ່ເອົາ',
  edit: 'แก้ แก้ไข แก้เป็น แก้เลข เปลี่ยน เปลี่ยนเป็น เป็น ลด ลดเหลือ เหลือ ปรับ แทน edit change ແກ້ ປ່ຽນ',
  add: 'เพิ่ม เพิ่มเติม เพิ่มอีก เพิ่มเป็น เติม อีก add ເພີ່ມ',
  market:
    'ลาว นอย ลาวพัฒนา พัฒนา ลาวสตาร์ สตาร์ ฮานอย ฮานอยพิเศษ เวียดนาม หุ้น ไทย หุ้นไทย หวยไทย นิเคอิ นิเคอิเช้า จีน ฮั่งเส็ง ไต้หวัน เกาหลี สิงคโปร์ อินเดีย อียิปต์ อังกฤษ เยอรมัน เยอรมนี รัสเซีย ดาว ดาวโจนส์ ดาวโจน มาเล มาเลย์ มาเลเซีย ยี่กี จับยี่กี รัฐบาล รัฐบาลไทย รัฐ หวยรัฐ ออมสิน ธกส วีไอพี พิเศษ ปกติ เฉพาะกิจ เช้า บ่าย เย็น ค่ำ รอบ รอบที่ สามัคคี อาเซียน กาชาด เอ็กซ์ตร้า เอ็กตร้า ใต้ดิน ຫວຍ ລາວ ພັດທະນາ ຮານອຍ vip star lao laos hanoi nikkei dow dowjones stock thai extra',
  date: 'มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม มกรา กุมภา มีนา เมษา พฤษภา มิถุนา กรกฎา สิงหา กันยา ตุลา พฤศจิกา ธันวา มค กพ มีค เมย พค มิย กค สค กย ตค พย ธค จันทร์ อังคาร พุธ พฤหัส พฤหัสบดี ศุกร์ เสาร์ อาทิตย์ วันจันทร์ วันอังคาร วันพุธ วันพฤหัส วันพฤหัสบดี วันศุกร์ วันเสาร์ วันอาทิตย์ วันที่ วันนี้ คืนนี้ เมื่อกี้ วัน งวด งวดนี้ งวดที่ งวดวันที่ ประจำวันที่ ประจำงวด เดือน ปี พศ เวลา ตอน ทุ่ม โมง monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun jan feb mar apr may jun jul aug sep oct nov dec am pm date time ງວດ ວັນທີ',
  clock: 'น นาฬิกา',
  contact:
    'โทร โทรศัพท์ เบอร์ เบอร์โทร บัญชี เลขบัญชี บช เลขที่ เลขที่บัญชี พร้อมเพย์ ธนาคาร กสิกร กสิกรไทย กรุงไทย กรุงเทพ ไทยพาณิชย์ ทหารไทย กรุงศรี ทรูมันนี่ วอเลท วอลเล็ท ไลน์ ไอดี tel phone scb kbank ktb bbl ttb gsb line id promptpay',
  paid: 'โอน โอนแล้ว โอนให้ โอนเงิน โอนมา จ่าย จ่ายแล้ว สลิป ชำระ ชำระแล้ว ค้าง ค้างจ่าย เครดิต มัดจำ ทอน เงินทอน ยอดโอน ยอดค้าง ค้างเก่า ยอดเก่า ยอดยกมา ยกมา ยอดคงเหลือ คงเหลือ เหลือเงิน วงเงิน เงินเข้า เข้าแล้ว ฝากเงิน ถอนเงิน paid slip ໂອນ ໂອນແລ້ວ',
  note: 'ผล ผลออก ผลหวย ออก ถูก ถูกรางวัล ขอให้ถูก รางวัล ปิด ปิดรับ เปิด เปิดรับ อั้น เลขอั้น เต็ม หมดเวลา จ่ายครึ่ง เมื่อวาน พรุ่งนี้ เลขเด็ด result',
  doubt: 'มี ไหม มั้ย หรือ รึ เปล่า เท่ากัน เท่า เท่าๆ เหมือนกัน ถึง หมด ถ้า ครึ่ง or if',
  money: 'พัน ร้อย หมื่น แสน ล้าน สิบ k กีบ ดอล ดอลลาร์ สตางค์ ກີບ ພັນ ແສນ ກີບ kip lak usd',
  title: 'พี่ น้อง เฮีย เจ๊ เจ้ ป้า ลุง คุณ นาย นางสาว เสี่ย ช่าง จ่า ครู หมอ พ่อ แม่ น้า อา ตา ยาย ອ້າຍ ເອື້ອຍ ນ້ອງ',
}

/** Words of one letter, and abbreviations, count only where they are the whole run. */
const MIN_PART_LENGTH = 2
const wholeOnly: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'บล ลบน บต ตท วบ วบน วล ปต ลบ บช มค กพ มีค เมย พค มิย กค สค กย ตค พย ธค พศ ที คาบ คราบ ตา อา แม่ พ่อ น้า ยาย หลัง ดาว วัน ตอน รับ รึ ตัด'.split(
    ' ',
  ),
)

let known: ReadonlyMap<string, Word> | null = null
let longest = 0

/** All words by their text, built at the first use. */
function lexicon(): ReadonlyMap<string, Word> {
  if (known !== null) return known
  const words = new Map<string, Word>()
  const add = (texts: string, word: Word): void => {
    for (const text of texts.split(' ')) {
      words.set(text, word)
      longest = Math.max(longest, text.length)
    }
  }
  for (const [kind, texts] of Object.entries(plainWords)) add(texts, { kind: kind as PlainKind })
  for (const [columns, texts] of Object.entries(columnWords))
    add(texts, { kind: 'column', columns: columns.split(' ') as ColumnName[] })
  for (const [mode, texts] of Object.entries(modeWords)) add(texts, { kind: 'mode', mode: mode as ModeName })
  for (const [digits, texts] of Object.entries(digitWords)) add(texts, { kind: 'digits', digits: Number(digits) })
  known = words
  return words
}

/** A part of a run of letters; `null` for letters that are no known word. */
export interface Piece {
  text: string
  word: Word | null
}

/** Splits a run of letters into known words with the fewest letters left over, then the fewest words. */
export function splitWords(run: string): readonly Piece[] {
  const words = lexicon()
  const whole = words.get(run)
  if (whole !== undefined) return [{ text: run, word: whole }]
  // Latin words are separated by spaces.
  if (/^[a-z]/.test(run)) return [{ text: run, word: null }]
  const cost = [0]
  const from = [0]
  for (let end = 1; end <= run.length; end += 1) {
    cost[end] = (cost[end - 1] as number) + 1_000
    from[end] = end - 1
    for (let start = Math.max(0, end - longest); start <= end - MIN_PART_LENGTH; start += 1) {
      const total = (cost[start] as number) + 1
      const text = run.slice(start, end)
      if (total < (cost[end] as number) && words.has(text) && !wholeOnly.has(text)) {
        cost[end] = total
        from[end] = start
      }
    }
  }
  return toPieces(run, from)
}

/** Follows the best splits from the end and joins adjacent letters that are no word. */
function toPieces(run: string, from: readonly number[]): readonly Piece[] {
  const pieces: Piece[] = []
  let unknownEnd = -1
  for (let end = run.length; end > 0; end = from[end] as number) {
    const start = from[end] as number
    const word = end - start < MIN_PART_LENGTH ? null : (lexicon().get(run.slice(start, end)) ?? null)
    if (word === null && unknownEnd < 0) unknownEnd = end
    if (word !== null || start === 0) {
      if (unknownEnd >= 0) {
        const unknownStart = word === null ? start : end
        pieces.push({ text: run.slice(unknownStart, unknownEnd), word: null })
        unknownEnd = -1
      }
      if (word !== null) pieces.push({ text: run.slice(start, end), word })
    }
  }
  return pieces.toReversed()
}
