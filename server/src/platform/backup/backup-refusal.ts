// Why a backup or a restore is refused, in the operator's words. They are on the command line alone: not in the table of the
// contract, which every browser loads.

type Details = Readonly<Record<string, string>>

const texts = {
  other_server: () => [
    'ฐานข้อมูลนี้ไม่ใช่ PostgreSQL ที่มากับระบบ ให้สำรองด้วย pgBackRest ตาม deploy/README.md',
    'This database is not the PostgreSQL that comes along: back it up with pgBackRest, as deploy/README.md says',
  ],
  no_folder: () => [
    'ตั้ง BACKUP_DIR=none ไว้ จึงไม่มีโฟลเดอร์สำหรับข้อมูลสำรอง ให้ตั้ง BACKUP_DIR เป็นโฟลเดอร์',
    'BACKUP_DIR is none, so there is no folder of backups: set it to a folder',
  ],
  other_database: ({ folder }: Details) => [
    `โฟลเดอร์ ${folder} เก็บข้อมูลสำรองของฐานข้อมูลอื่นอยู่ ให้ตั้ง BACKUP_DIR เป็นโฟลเดอร์อื่น`,
    `${folder} holds the backups of another database: set BACKUP_DIR to another folder`,
  ],
  folder_lost: ({ folder }: Details) => [
    `โฟลเดอร์ ${folder} เคยเก็บข้อมูลสำรองไว้ แต่ตอนนี้ว่างเปล่า ดิสก์อาจไม่ได้ต่ออยู่ ให้ต่อดิสก์แล้วสั่งอีกครั้ง ถ้าเปลี่ยนดิสก์ใหม่จริง ให้สั่ง npm run office -- backup --set-up`,
    `${folder} had the backups of this database, and has none now: mount its disk and try again. Where the disk was replaced: npm run office -- backup --set-up`,
  ],
  not_archiving: ({ why }: Details) => [
    `ฐานข้อมูลที่ทำงานอยู่ไม่ได้เก็บ WAL ไว้ จึงสำรองไม่ได้ ให้เริ่มระบบใหม่ แล้วสั่งอีกครั้ง (${why})`,
    `The running database does not archive its write-ahead log, so there is no backup: restart the application and try again (${why})`,
  ],
  backup_running: () => [
    'กำลังสำรองข้อมูลอยู่แล้ว กรุณารอให้เสร็จก่อน',
    'A backup is being made already: wait until it is ready',
  ],
  no_backup: ({ folder }: Details) => [
    `ไม่มีข้อมูลสำรองใน ${folder} ให้สั่ง npm run office -- backup ก่อน`,
    `There is no backup in ${folder}: make one with npm run office -- backup`,
  ],
  before_oldest: ({ target, oldest }: Details) => [
    `กู้คืนไปยัง ${target} ไม่ได้ เวลาแรกที่กู้คืนได้คือ ${oldest}`,
    `Nothing reaches back to ${target}: the earliest time that can be restored is ${oldest}`,
  ],
  after_last: ({ target, last }: Details) => [
    `กู้คืนไปยัง ${target} ไม่ได้ ข้อมูลสำรองมีถึง ${last} เท่านั้น ให้ใช้เวลาก่อนหน้านั้น หรือ --to latest`,
    `${target} cannot be restored: what is archived ends at ${last}. Name an earlier time, or --to latest`,
  ],
  folder_not_empty: ({ folder }: Details) => [
    `โฟลเดอร์ ${folder} มีอยู่แล้วและไม่ว่าง ให้ใช้โฟลเดอร์ใหม่ ข้อมูลเดิมไม่ถูกแตะต้อง`,
    `${folder} exists and is not empty: name a new folder. Nothing in it was touched`,
  ],
  folder_in_use: ({ folder }: Details) => [
    `โฟลเดอร์ ${folder} เป็นของระบบที่ใช้งานอยู่หรือของข้อมูลสำรอง ให้ใช้โฟลเดอร์อื่น`,
    `${folder} belongs to the application's data or to the backups: name a folder outside of both`,
  ],
  not_enough_disk: ({ needed, free, folder }: Details) => [
    `เนื้อที่ดิสก์ไม่พอที่ ${folder} ต้องใช้ ${needed} แต่เหลือ ${free}`,
    `There is not enough disk at ${folder}: ${needed} are needed, ${free} are free`,
  ],
  wrong_version: ({ made, here }: Details) => [
    `ข้อมูลสำรองนี้ทำโดย PostgreSQL ${made} แต่ที่นี่คือ ${here} ให้กู้คืนด้วยเวอร์ชันที่ทำไว้`,
    `This backup was made by PostgreSQL ${made}, and here is ${here}: restore it with the version of the application that made it`,
  ],
  newer_schema: ({ migration }: Details) => [
    `ข้อมูลสำรองนี้มาจากระบบเวอร์ชันอื่น (${migration}) ให้กู้คืนด้วยเวอร์ชันนั้น`,
    `This backup was made by another version of the application (${migration}): restore it with that version`,
  ],
  backup_damaged: ({ backup }: Details) => [
    `ข้อมูลสำรอง ${backup} เสียหาย ค่าตรวจสอบไม่ตรงกัน`,
    `The backup ${backup} is damaged: its checksum differs from the one that was noted when it was made`,
  ],
  wal_missing: ({ segment }: Details) => [
    `WAL ที่เก็บไว้ขาดหรือเสียหายที่ ${segment} จึงกู้คืนไปไกลกว่านั้นไม่ได้`,
    `The archived write-ahead log is missing or damaged at ${segment}: nothing can be restored beyond it`,
  ],
  no_old_database: ({ folder }: Details) => [
    `ไม่มีฐานข้อมูลใน ${folder} ให้ระบุ DATA_DIR เดิมของระบบ`,
    `There is no database in ${folder}: name the data folder that the application had`,
  ],
  no_old_server: ({ folder, made }: Details) => [
    `ไม่มีโปรแกรม postgres ของ PostgreSQL ${made} ใน ${folder} ให้ระบุโฟลเดอร์ bin ของ PostgreSQL ${made} เช่น จากระบบเวอร์ชันเดิม`,
    `There is no postgres of PostgreSQL ${made} in ${folder}: name the folder bin of PostgreSQL ${made}, as of the older version of the application`,
  ],
  same_server: ({ made }: Details) => [
    `ข้อมูลนี้เป็นของ PostgreSQL ${made} ซึ่งเป็นรุ่นที่มากับระบบนี้อยู่แล้ว จึงไม่ต้องย้าย`,
    `This data is of PostgreSQL ${made}, which this version of the application brings: there is nothing to copy`,
  ],
  database_runs: ({ folder }: Details) => [
    `ฐานข้อมูลใน ${folder} กำลังทำงานอยู่ ให้หยุดระบบก่อน`,
    `The database in ${folder} is running: stop the application first`,
  ],
} as const satisfies Record<string, (details: Details) => readonly [string, string]>

export type BackupRefusalCode = keyof typeof texts

/** A backup or restore that is refused; its message is the Thai and the English sentence. */
export class BackupRefusal extends Error {
  readonly code: BackupRefusalCode

  constructor(code: BackupRefusalCode, details: Details = {}) {
    super(texts[code](details).join('\n'))
    this.name = 'BackupRefusal'
    this.code = code
  }
}
