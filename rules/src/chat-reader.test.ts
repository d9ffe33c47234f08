// Chat lines are read as their writers meant, or are unsure or unread. A sure line is certain.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { betTypeCodes, usualBetTypes } from './bet-type-code.ts'
import { readChat, type ChatLine, type ChatOptions } from './chat-reader.ts'
import { MAX_IMPORT_CHARACTERS, readImportText } from './import-reader.ts'
import type { SlipLine } from './slip.ts'

const government: ChatOptions = { offered: betTypeCodes }

function spell(bets: readonly SlipLine[]): string {
  return bets.map(({ bet_type, number, bet_satang }) => `${bet_type} ${number} ${bet_satang / 100}`).join(' | ')
}

/** A line in short: "sure 2top 12 50", "unsure no_column 2top 12 50", "aside total", "unread no_amount". */
function inShort({ kind, is_sure, reason, bets }: ChatLine): string {
  if (kind !== 'bet') return `${kind} ${reason}`
  return is_sure ? `sure ${spell(bets)}` : `unsure ${reason} ${spell(bets)}`
}

function read(text: string, options = government): readonly string[] {
  return readChat(text, options).lines.map(inShort)
}

describe('a line with its columns', () => {
  it.each<[string, string]>([
    ['บน 12=50', 'sure 2top 12 50'],
    ['บน12=50', 'sure 2top 12 50'],
    ['บ.12=50', 'sure 2top 12 50'],
    ['12=50 ล่าง', 'sure 2bottom 12 50'],
    ['12ล่าง50', 'sure 2bottom 12 50'],
    ['บล 12=50', 'sure 2top 12 50 | 2bottom 12 50'],
    ['บ+ล 12=50', 'sure 2top 12 50 | 2bottom 12 50'],
    ['บ.ล. 12=50', 'sure 2top 12 50 | 2bottom 12 50'],
    ['บน-ล่าง 12=50', 'sure 2top 12 50 | 2bottom 12 50'],
    ['12บน50ล่าง20', 'sure 2top 12 50 | 2bottom 12 20'],
    ['12บ50ล20', 'sure 2top 12 50 | 2bottom 12 20'],
    ['12 บน 50 ล่าง 20', 'sure 2top 12 50 | 2bottom 12 20'],
    ['12=50บน 20ล่าง', 'sure 2top 12 50 | 2bottom 12 20'],
    ['12 50บน 20ล่าง', 'sure 2top 12 50 | 2bottom 12 20'],
    ['12=50*20บนล่าง', 'sure 2top 12 50 | 2bottom 12 20'],
    ['บน 12=50 ล่าง 13=20', 'sure 2top 12 50 | 2bottom 13 20'],
    ['123ตรง50โต๊ด20', 'sure 3top 123 50 | 3roll 123 20'],
    ['เต็งโต๊ด 123=50', 'sure 3top 123 50 | 3roll 123 50'],
    ['123=50ต', 'sure 3roll 123 50'],
    ['123 50โต๊ด', 'sure 3roll 123 50'],
    ['123=50ท', 'unsure several_readings 3roll 123 50'],
    ['123=100โต๊ด50', 'unsure several_readings 3top 123 100 | 3roll 123 50'],
    ['หน้า 123=20', 'sure 3front 123 20'],
    ['ท้าย 123=20', 'sure 3bottom 123 20'],
    ['สามตัวล่าง 123=20', 'sure 3bottom 123 20'],
    ['123 ล่าง 20', 'unsure several_readings 3bottom 123 20'],
    ['วิ่งบน 5=100', 'sure 1top 5 100'],
    ['วิ่ง 5=100', 'unsure no_column 1top 5 100'],
    ['2ตัวโต๊ด 12=50', 'sure 2roll 12 50'],
    ['โต๊ด 12=50', 'unsure several_readings 2roll 12 50'],
    ['3ตัวโต๊ด 12=50', 'unsure several_readings 2roll 12 50'],
    ['เต็ง 12=50', 'unsure several_readings 2top 12 50'],
    ['ล่างบน 12=50*20', 'unsure several_readings 2bottom 12 50 | 2top 12 20'],
    ['บน 12=50*20', 'unsure several_readings 2top 12 50 | 2bottom 12 20'],
    ['ລຸ່ມ 12=50', 'unsure several_readings 2bottom 12 50'],
    ['12=50บ', 'unsure several_readings 2top 12 50'],
    ['12=50บ*20ล', 'sure 2top 12 50 | 2bottom 12 20'],
    ['12=50บ.ล่าง20', 'unsure several_readings 2top 12 50 | 2bottom 12 20'],
    ['12=50*20ล่าง', 'unsure several_readings 2top 12 50 | 2bottom 12 20'],
    ['12=50 ล่าง 13=20', 'unsure several_readings 2top 12 50 | 2bottom 13 20'],
    ['12=50ล่าง 13=20', 'unsure no_column 2bottom 12 50 | 2top 13 20'],
    ['12 50 บน', 'unsure several_readings 2top 12 50'],
    ['12 บน 50 ล่าง', 'unread several_readings'],
    ['บน 12=50 บน', 'unsure several_readings 2top 12 50'],
    ['12 บน 50 บน 20', 'unread several_readings'],
    ['วิ่งบน 12=50', 'unread several_readings'],
    ['โต๊ด 5=50', 'unread several_readings'],
    ['เต็ง 5=50', 'unread several_readings'],
    ['หน้า 12=50', 'unread several_readings'],
    ['ท้าย 12=50', 'unread several_readings'],
  ])('%s', (line, expected) => {
    expect(read(line)).toEqual([expected])
  })

  it('a market refuses columns that it does not offer', () => {
    expect(read('3ตัวล่าง 123=20', { offered: usualBetTypes })).toEqual(['unread column_not_offered'])
    expect(read('บน 12=50', { offered: [] })).toEqual(['unread column_not_offered'])
  })
})

describe('a line without columns', () => {
  it.each<[string, string]>([
    ['12=50', 'unsure no_column 2top 12 50'],
    ['123=50', 'unsure no_column 3top 123 50'],
    ['12=50*20', 'sure 2top 12 50 | 2bottom 12 20'],
    ['12=50x20', 'sure 2top 12 50 | 2bottom 12 20'],
    ['12=0*20', 'sure 2bottom 12 20'],
    ['12-50*20', 'sure 2top 12 50 | 2bottom 12 20'],
    ['12 50*20', 'sure 2top 12 50 | 2bottom 12 20'],
    ['12/50/20', 'sure 2top 12 50 | 2bottom 12 20'],
    ['12 100 100', 'sure 2top 12 100 | 2bottom 12 100'],
    ['123=100*50', 'sure 3top 123 100 | 3roll 123 50'],
    ['123=100x50', 'sure 3top 123 100 | 3roll 123 50'],
    ['123x100x50', 'sure 3top 123 100 | 3roll 123 50'],
    ['123=50/20', 'unsure several_readings 3top 123 50 | 3roll 123 20'],
    ['12=50/20', 'sure 2top 12 50 | 2bottom 12 20'],
    ['12=50 20', 'unsure several_readings 2top 12 50 | 2bottom 12 20'],
    ['12=50*20*10', 'unsure several_readings 2top 12 50 | 2bottom 12 20 | 2roll 12 10'],
    ['5=50*20', 'unsure several_readings 1top 5 50 | 1bottom 5 20'],
    ['123=0*50', 'unsure several_readings 3roll 123 50'],
    ['12=50*2', 'unsure several_readings 2top 12 50 | 2bottom 12 2'],
    ['12=21', 'unsure several_readings 2top 12 21'],
    ['123 100 100', 'unsure several_readings 3top 123 100 | 3roll 123 100'],
    ['10 20*50', 'unsure several_readings 2top 10 20 | 2bottom 10 50'],
    ['12=1,000', 'unsure unclear_amount 2top 12 1000'],
    ['12=1,000*1,500', 'unsure unclear_amount 2top 12 1000 | 2bottom 12 1500'],
    ['12=50.00*20', 'unsure unclear_amount 2top 12 50 | 2bottom 12 20'],
    ['-12=50*50', 'unsure several_readings 2top 12 50 | 2bottom 12 50'],
    ['12\t-\t50', 'unsure several_readings 2bottom 12 50'],
    ['12\t50\t20', 'unsure several_readings 2top 12 50 | 2bottom 12 20'],
    ['12=10.50', 'unread unclear_amount'],
    ['12=050', 'unread unclear_amount'],
    ['12,500', 'unread unclear_amount'],
    ['12=-50', 'unread negative'],
    ['12=50 -20', 'unread negative'],
    ['1234=50', 'unread bad_number'],
    ['1234 50', 'unread bad_number'],
    ['12=50*50*50*50', 'unread several_readings'],
    ['12=5000000000', 'unread amount_too_large'],
    ['12=5000000000000', 'unread amount_too_large'],
    ['12=0', 'unread no_amount'],
    ['12=50%', 'unread unknown_digit'],
    ['①2=50', 'unread unknown_digit'],
    ['12=10\u2009500', 'unread unknown_digit'],
    ['12=50=20', 'unread several_readings'],
    ['12=50 ~ 13', 'unread several_readings'],
    ['12=ร้อย 50', 'unread unclear_amount'],
  ])('%s', (line, expected) => {
    expect(read(line)).toEqual([expected])
  })
})

describe('numbers that share a price, and several bets in a line', () => {
  it.each<[string, string]>([
    ['12-13=50*20', 'sure 2top 12 50 | 2bottom 12 20 | 2top 13 50 | 2bottom 13 20'],
    ['12,13=50*20', 'sure 2top 12 50 | 2bottom 12 20 | 2top 13 50 | 2bottom 13 20'],
    ['12/13=50*20', 'sure 2top 12 50 | 2bottom 12 20 | 2top 13 50 | 2bottom 13 20'],
    ['12 13 = 50*20', 'sure 2top 12 50 | 2bottom 12 20 | 2top 13 50 | 2bottom 13 20'],
    ['บน 12กับ13=50', 'sure 2top 12 50 | 2top 13 50'],
    ['บน 12.13.14=20', 'sure 2top 12 20 | 2top 13 20 | 2top 14 20'],
    ['44 55 บน 100', 'sure 2top 44 100 | 2top 55 100'],
    ['12 13 บน ตัวละ 50', 'sure 2top 12 50 | 2top 13 50'],
    ['12,13 50*20', 'sure 2top 12 50 | 2bottom 12 20 | 2top 13 50 | 2bottom 13 20'],
    ['บน 12.13=20', 'unsure several_readings 2top 12 20 | 2top 13 20'],
    ['บน 12+13=20', 'unsure several_readings 2top 12 20 | 2top 13 20'],
    ['บน 10-19=20', 'unsure several_readings 2top 10 20 | 2top 19 20'],
    ['บน 12-13,14=20', 'unsure several_readings 2top 12 20 | 2top 13 20 | 2top 14 20'],
    ['บน 12,123=20', 'unsure several_readings 2top 12 20 | 3top 123 20'],
    ['บน 12-12=20', 'unsure several_readings 2top 12 20'],
    ['บน 12=50 13=20', 'sure 2top 12 50 | 2top 13 20'],
    ['บน 12=50 กลับ 13=20', 'sure 2top 12 50 | 2top 13 20 | 2top 31 20'],
    ['บน 12=50,13=20', 'sure 2top 12 50 | 2top 13 20'],
    ['บน 12=50/13=20', 'sure 2top 12 50 | 2top 13 20'],
    ['12=50*50 13=20*20', 'sure 2top 12 50 | 2bottom 12 50 | 2top 13 20 | 2bottom 13 20'],
    ['12 50*50, 13 20*20', 'sure 2top 12 50 | 2bottom 12 50 | 2top 13 20 | 2bottom 13 20'],
    ['บน 12=50 13=20 =70', 'sure 2top 12 50 | 2top 13 20'],
    ['บน 12=50 13=20 =90', 'unsure several_readings 2top 12 50 | 2top 13 20'],
    ['12-50,13-20', 'unsure several_readings 2top 12 50 | 2top 13 20'],
    ['12=50 13=20 บน', 'unsure several_readings 2top 12 50 | 2top 13 20'],
    ['12=50,130=20', 'unsure no_column 2top 12 50 | 3top 130 20'],
    ['12=50 สมชาย 13=20', 'unsure unknown_word 2top 12 50 | 2top 13 20'],
    ['12 สมชาย 13=20', 'unread several_readings'],
    ['12 50 13 20', 'unread no_amount'],
  ])('%s', (line, expected) => {
    expect(read(line)).toEqual([expected])
  })
})

describe('doors and reversed numbers', () => {
  it.each<[string, string]>([
    ['บน 12กลับ=50', 'sure 2top 12 50 | 2top 21 50'],
    ['บน 11กลับ=50', 'unsure several_readings 2top 11 50'],
    ['ลาง 12=50', 'unsure unknown_word 2bottom 12 50'],
    ['123 โต๊ต 50', 'unsure unknown_word 3roll 123 50'],
    ['บน 45=50*', 'unsure several_readings 2top 45 50'],
    ['บน #46=50', 'unsure list_index 2top 46 50'],
    ['12กลับ=50*20', 'sure 2top 12 50 | 2top 21 50 | 2bottom 12 20 | 2bottom 21 20'],
    ['12=50*20กลับ', 'unsure several_readings 2top 12 50 | 2top 21 50 | 2bottom 12 20 | 2bottom 21 20'],
    ['บน 12=50กลับ20', 'unsure several_readings 2top 12 50 | 2top 21 20'],
    ['บน 12-13=50กลับ20', 'unsure several_readings 2top 12 50 | 2top 21 20 | 2top 13 50 | 2top 31 20'],
    ['บน 12-21กลับ=50', 'unsure several_readings 2top 12 50 | 2top 21 50'],
    ['2ตัวโต๊ด 12กลับ=50', 'unsure several_readings 2roll 12 50'],
    ['112 3ประตู 20', 'sure 3top 112 20 | 3top 121 20 | 3top 211 20'],
    ['112=20x3', 'unsure several_readings 3top 112 20 | 3top 121 20 | 3top 211 20'],
    ['112x3=20', 'unsure several_readings 3top 112 20 | 3top 121 20 | 3top 211 20'],
    ['112x=20', 'unsure several_readings 3top 112 20 | 3top 121 20 | 3top 211 20'],
    ['x112=20', 'sure 3top 112 20 | 3top 121 20 | 3top 211 20'],
    ['ชุด 112=20', 'unsure several_readings 3top 112 20 | 3top 121 20 | 3top 211 20'],
    ['โต๊ด 112 3ประตู 20', 'unsure several_readings 3roll 112 20'],
    ['112 กลับ บน 20', 'unsure several_readings 3top 112 20 | 3top 121 20 | 3top 211 20'],
    ['ประตู 12 บน 20', 'unsure several_readings 2top 12 20 | 2top 21 20'],
    ['5 กลับ บน 20', 'unread several_readings'],
    ['19ประตู 12=20', 'unread several_readings'],
    ['รูด 12=20', 'unread several_readings'],
    ['รูดหน้า 12=20', 'unread several_readings'],
    ['รูดหลัง 12=20', 'unread several_readings'],
    ['หน้า รูดหน้า 5=20', 'unread several_readings'],
    ['12 กลับ กลับ=20 กลับ 10 กลับ', 'unread several_readings'],
  ])('%s', (line, expected) => {
    expect(read(line)).toEqual([expected])
  })

  it.each<[string, number, string]>([
    ['บน 19ประตู 5=20', 19, 'sure 2top 50 20'],
    ['บนล่าง รูด 5=20', 38, 'unsure several_readings 2top 50 20'],
    ['บน รูดหน้า 5=20', 10, 'sure 2top 50 20'],
    ['บน รูดหลัง 5=20', 10, 'sure 2top 05 20'],
    ['ประตู 5 บน 20', 19, 'unsure several_readings 2top 50 20'],
  ])('%s makes %i items', (line, count, first) => {
    const [only] = read(line)
    expect(only).toMatch(new RegExp(`^${first}`))
    expect(readChat(line, government).lines[0]?.bets).toHaveLength(count)
  })
})

describe('lines that belong together', () => {
  it.each<[string, readonly string[]]>([
    ['บน\n12=50\n13=20', ['aside column', 'sure 2top 12 50', 'sure 2top 13 20']],
    ['ล่าง\n46-47*20', ['aside column', 'sure 2bottom 46 20 | 2bottom 47 20']],
    ['ล่าง\n46-50*20', ['aside column', 'unsure several_readings 2bottom 46 20 | 2bottom 50 20']],
    ['บนล่าง\n12=50*20', ['aside column', 'sure 2top 12 50 | 2bottom 12 20']],
    ['บนล่าง\n123=50*20', ['aside column', 'unsure column_above 3top 123 50 | 3roll 123 20']],
    ['วิ่งบน\n12=50', ['aside column', 'unsure no_column 2top 12 50']],
    ['3ตัวบน\n12=50', ['aside column', 'unsure several_readings 2top 12 50']],
    ['2ตัว\nบน\n12=50', ['aside column', 'aside column', 'sure 2top 12 50']],
    ['บน\n2ตัว\n12=50', ['aside column', 'aside column', 'sure 2top 12 50']],
    ['บน\n12=50\n3ตัว\n123=50', ['aside column', 'sure 2top 12 50', 'aside column', 'unsure column_above 3top 123 50']],
    ['บน\nล่าง\n12=50', ['aside column', 'aside column', 'unsure several_readings 2bottom 12 50']],
    ['กลับ\n12=50*20', ['aside column', 'sure 2top 12 50 | 2top 21 50 | 2bottom 12 20 | 2bottom 21 20']],
    ['6ประตู\n12=50*20', ['aside column', 'unsure column_above 2top 12 50 | 2bottom 12 20']],
    ['บน\n12=50\nสมชาย\n13=20', ['aside column', 'sure 2top 12 50', 'aside name', 'unsure column_above 2top 13 20']],
    ['บน 12=50\n13=20', ['sure 2top 12 50', 'unsure column_above 2top 13 20']],
    ['ล่างตัวละ 20\n12\n13=50', ['aside price', 'sure 2bottom 12 20', 'sure 2bottom 13 50']],
    ['บน 50\n12', ['aside price', 'unsure price_apart 2top 12 50']],
    ['บน 50\n12=20', ['unread no_amount', 'unsure price_apart 2top 12 20']],
    ['บน 50 ล่าง 20\n12', ['aside price', 'sure 2top 12 50 | 2bottom 12 20']],
    ['บน 51 ล่าง 20\n12', ['unread several_readings', 'unread no_amount']],
    ['บนล่าง 50*20\n12', ['aside price', 'sure 2top 12 50 | 2bottom 12 20']],
    ['ตัวละ 20\n12', ['aside price', 'unsure no_column 2top 12 20']],
    ['ตัวละ 20', ['unread price_line']],
    ['12 13\n=50*20', ['sure 2top 12 50 | 2bottom 12 20 | 2top 13 50 | 2bottom 13 20', 'aside price']],
    ['บน\n12\n13\nตัวละ 50', ['aside column', 'sure 2top 12 50', 'sure 2top 13 50', 'aside price']],
    ['12 13\nบนล่าง ตัวละ 50', ['sure 2top 12 50 | 2bottom 12 50 | 2top 13 50 | 2bottom 13 50', 'aside price']],
    ['12 13\n50*20', ['unsure price_apart 2top 12 50 | 2bottom 12 20 | 2top 13 50 | 2bottom 13 20', 'aside price']],
    ['20,21\n(=5/5', ['unsure several_readings 2top 20 5 | 2bottom 20 5 | 2top 21 5 | 2bottom 21 5', 'aside price']],
    ['20+21\n(*5x5', ['unsure several_readings 2top 20 5 | 2bottom 20 5 | 2top 21 5 | 2bottom 21 5', 'aside price']],
    ['บน\n12 13\n50', ['aside column', 'unsure price_apart 2top 12 50 | 2top 13 50', 'aside price']],
    [
      'บน\n12\n50\n13\n20',
      ['aside column', 'unsure price_apart 2top 12 50', 'aside price', 'unsure price_apart 2top 13 20', 'aside price'],
    ],
    ['บน\n12 13\n=50 บาท', ['aside column', 'unsure price_apart 2top 12 50 | 2top 13 50', 'aside price']],
    ['บน\n12\n13=20\n=50', ['aside column', 'unsure price_apart 2top 12 50', 'sure 2top 13 20', 'aside price']],
    ['บน\n12\nสมชาย\n=50', ['aside column', 'unsure column_above 2top 12 50', 'aside name', 'aside price']],
    ['17\n18 50*10', ['unsure price_apart 2top 17 50 | 2bottom 17 10', 'sure 2top 18 50 | 2bottom 18 10']],
    ['บน ตัวละ 20\n12\n=50', ['aside price', 'unsure price_apart 2top 12 50', 'aside price']],
    [
      '12/50/20\n=100*100',
      [
        'unsure price_apart 2top 12 100 | 2bottom 12 100 | 2top 50 100 | 2bottom 50 100 | 2top 20 100 | 2bottom 20 100',
        'aside price',
      ],
    ],
    ['112\n5xชุด', ['unsure price_apart 3top 112 5 | 3top 121 5 | 3top 211 5', 'aside price']],
    ['บน 12\nล่าง 13\n=50', ['sure 2top 12 50', 'sure 2bottom 13 50', 'aside price']],
    ['บน\n12 13\n20 ทุกตัว', ['aside column', 'sure 2top 12 20 | 2top 13 20', 'aside price']],
    [
      '12-13\n14-15\n*20*20',
      [
        'sure 2top 12 20 | 2bottom 12 20 | 2top 13 20 | 2bottom 13 20',
        'unsure several_readings 2top 14 20 | 2bottom 14 20 | 2top 15 20 | 2bottom 15 20',
        'aside price',
      ],
    ],
    [
      'บน\n12=50\nกลับ\n13=20',
      ['aside column', 'unsure column_above 2top 12 50', 'aside column', 'unsure column_above 2top 13 20 | 2top 31 20'],
    ],
    ['ตลาดบน\n12=50*50', ['aside name', 'unsure column_above 2top 12 50 | 2bottom 12 50']],
    ['3ตัว\n12=50*50', ['aside column', 'unsure column_above 2top 12 50 | 2bottom 12 50']],
    ['3 ตัว\n123=50*50', ['aside column', 'sure 3top 123 50 | 3roll 123 50']],
    ['12 13', ['unread no_amount']],
    ['=50*50', ['unread price_line']],
    ['=50=20', ['unread price_line']],
    ['12=50*50\n=100', ['sure 2top 12 50 | 2bottom 12 50', 'aside total']],
    ['12=50*50\n=20', ['sure 2top 12 50 | 2bottom 12 50', 'unread price_line']],
    ['12=50*50\nยกเลิก 12', ['unsure instruction 2top 12 50 | 2bottom 12 50', 'unread instruction']],
    ['12=50*50\nยกเลิก 13', ['sure 2top 12 50 | 2bottom 12 50', 'unread instruction']],
    ['12=50*50\nแก้ใหม่', ['unsure instruction 2top 12 50 | 2bottom 12 50', 'unread instruction']],
    ['เพิ่ม\n12=50*50', ['aside note', 'unsure instruction 2top 12 50 | 2bottom 12 50']],
    ['ลาว\n12=50*50\nฮานอย', ['aside market', 'unsure several_markets 2top 12 50 | 2bottom 12 50', 'aside market']],
    ['1. 12=50*50\n2. 13=20*20', ['sure 2top 12 50 | 2bottom 12 50', 'sure 2top 13 20 | 2bottom 13 20']],
    [
      '10:45\tเอก\tบน\n10:46\tเอก\t12=50\n10:47\tบอย\t13=50',
      ['aside column', 'sure 2top 12 50', 'unsure column_above 2top 13 50'],
    ],
    ['35:100*100\n12:50', ['sure 2top 35 100 | 2bottom 35 100', 'unsure date_or_time 2top 12 50']],
  ])('%j', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })
})

describe('lines that are set aside', () => {
  it.each<[string, string]>([
    ['สมชาย', 'name'],
    ['พี่เอ', 'name'],
    ['พี่ เอ', 'name'],
    ['@somchai', 'name'],
    ['น้องบี2', 'name'],
    ['20:30', 'time'],
    ['20:30 - 21:00', 'time'],
    ['[20:30:15]', 'time'],
    ['20.30 น.', 'time'],
    ['ส่ง 20:30', 'time'],
    ['16/01/2569', 'time'],
    ['2026-01-16 20:31', 'time'],
    ['งวด 16/1/69', 'time'],
    ['16 ม.ค. 69', 'time'],
    ['รวม 500', 'total'],
    ['ยอด 1,250 บาท', 'total'],
    ['รวม 3 ตัว = 150', 'total'],
    ['รวม', 'total'],
    ['โทร 081-234-5678', 'contact'],
    ['0812345678', 'contact'],
    ['เบอร์โทร', 'contact'],
    ['โอนแล้ว 500', 'note'],
    ['ยอดคงค้าง 500', 'note'],
    ['ตัวละ', 'note'],
    ['ลาววีไอพี', 'market'],
    ['ยี่กี รอบ 45', 'market'],
    ['ลาว 14/1/69', 'market'],
    ['-----', 'ruler'],
    ['🎉🎉', 'ruler'],
    ['ขอบคุณครับบบ', 'greeting'],
    ['3)', 'index'],
  ])('%s', (line, reason) => {
    expect(read(line)).toEqual([`aside ${reason}`])
  })

  it.each<[string, string]>([
    ['พี่เอ : 12=50*50', 'sure 2top 12 50 | 2bottom 12 50'],
    ['10:45 น้องบี 12=50*50', 'sure 2top 12 50 | 2bottom 12 50'],
    ['[10:45] น้องบี: 12=50*50', 'sure 2top 12 50 | 2bottom 12 50'],
    ['10:45 Somchai2 12=50*50', 'unsure unknown_word 2top 12 50 | 2bottom 12 50'],
    ['(1) 12=50*50', 'sure 2top 12 50 | 2bottom 12 50'],
    ['2) - 12=50*50', 'sure 2top 12 50 | 2bottom 12 50'],
    ['(12) 13=50*50', 'unsure list_index 2top 13 50 | 2bottom 13 50'],
    ['1.12=50*50', 'sure 2top 12 50 | 2bottom 12 50'],
    ['2.12=50*50', 'unsure list_index 2top 12 50 | 2bottom 12 50'],
    ['2. บน 12=50', 'sure 2top 12 50'],
    ['- บน 12=50', 'sure 2top 12 50'],
    ['12=50*50 รวม 100 บาท', 'sure 2top 12 50 | 2bottom 12 50'],
    ['12=50*50 ครับ', 'sure 2top 12 50 | 2bottom 12 50'],
    ['๑๒=๕๐*໕໐', 'sure 2top 12 50 | 2bottom 12 50'],
    ['1\u200b2=5\u200b0*50', 'sure 2top 12 50 | 2bottom 12 50'],
    ['บน 12=฿50.-', 'sure 2top 12 50'],
    ['สมชาย 12=50*50', 'unsure unknown_word 2top 12 50 | 2bottom 12 50'],
    ['12=50*50 20:35', 'unsure date_or_time 2top 12 50 | 2bottom 12 50'],
    ['วันนี้ 12=50*50', 'unsure date_or_time 2top 12 50 | 2bottom 12 50'],
    ['12=50*50 ได้ไหม', 'unsure unknown_word 2top 12 50 | 2bottom 12 50'],
    ['12=(50)*50', 'unsure several_readings 2top 12 50 | 2bottom 12 50'],
    ['งวด 16 12=50', 'unread date_or_time'],
    ['16/1/69 12=50', 'unsure no_column 2top 12 50'],
    ['12/11/20', 'unread date_or_time'],
    ['12/11', 'unread no_amount'],
    ['012-345-678', 'unread bad_number'],
    ['0812345678=50', 'unread bad_number'],
    ['รวม 12=50', 'unread several_readings'],
    ['รวม 10.50', 'unread several_readings'],
    ['12=50*50 รวม 1.5', 'unsure several_readings 2top 12 50 | 2bottom 12 50'],
    ['12 13 รวม 150', 'unread no_amount'],
    ['12 บน ห้าสิบ', 'unread no_amount'],
    ['12=', 'unread no_amount'],
  ])('%s', (line, expected) => {
    expect(read(line)).toEqual([expected])
  })

  it('the last stated total is reported', () => {
    expect(readChat('12=50*50\nรวม 100\n13=50*50 รวม 1,100', government).total_satang_found).toBe(110_000)
    expect(readChat('12=50*50', government).total_satang_found).toBeNull()
  })
})

describe('for any text', () => {
  const piece = fc.constantFrom(
    ...[...'0123456789=*x-/,.:+()@ \n\t๑໒ก½😀'],
    ...'บน ล่าง บ ล ต โต๊ด ตรง วิ่ง กลับ ประตู ชุด รูด ตัวละ บาท รวม ครับ พี่เอ สมชาย ยกเลิก ลาว งวด โอน k'.split(' '),
    ...['12', '13', '123', '50', '20', '100', '=50', '*50', '12=50', '20:30', '16/1/69', ' ', '\n'],
  )
  const anyText = fc.oneof(
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
    fc.string({ unit: 'binary', maxLength: 60 }),
  )

  it('nothing throws, the result is the same each time, and every line that is not empty is listed', () => {
    fc.assert(
      fc.property(anyText, fc.subarray([...betTypeCodes]), (text, offered) => {
        const result = readChat(text, { offered })
        expect(readChat(text, { offered })).toEqual(result)
        for (const { start, end, kind, is_sure, reason, bets, text: line } of result.lines) {
          expect(text.slice(start, end).trim()).toBe(line)
          expect(bets.length > 0).toBe(kind === 'bet')
          expect(reason === null).toBe(is_sure)
          expect(is_sure && kind !== 'bet').toBe(false)
          for (const { bet_type, number, bet_satang } of bets) {
            expect(offered).toContain(bet_type)
            expect(number).toMatch(/^[0-9]{1,3}$/)
            expect(bet_satang > 0 && bet_satang % 100 === 0).toBe(true)
          }
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('the amount of a sure bet stands in the text, and so does its number or its digits', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const plain = text.replaceAll('๑', '1').replaceAll('໒', '2')
        const hasMode = /กลับ|ประตู|รูด|x/.test(text)
        const sure = readChat(text, government).lines.filter(({ is_sure }) => is_sure)
        const unfounded = sure
          .flatMap(({ bets }) => bets)
          .filter(({ number, bet_satang }) => {
            const isFound = hasMode ? new RegExp(`[${number}]`).test(plain) : plain.includes(number)
            return !isFound || !plain.includes(String(bet_satang / 100))
          })
        expect(unfounded).toEqual([])
      }),
      { numRuns: 2_000 },
    )
    expect.hasAssertions()
  })

  it('lines of noise change no bet', () => {
    const noise = fc.constantFrom('ขอบคุณครับ', '-----', '🎉', 'โอนแล้ว', '20:30', '', '16/01/2569')
    const lines = fc.array(
      fc.constantFrom<string>(
        'บน',
        'ล่าง',
        '12=50',
        '13=50*20',
        '14 15',
        '=50*50',
        'ตัวละ 20',
        '123=100x100',
        'ล่าง 20',
        'กลับ',
      ),
      { minLength: 1, maxLength: 8 },
    )
    fc.assert(
      fc.property(lines, noise, fc.nat(), (lines, extra, place) => {
        const at = place % (lines.length + 1)
        const bets = (text: string) => readChat(text, government).lines.flatMap((line) => line.bets)
        expect(bets(lines.toSpliced(at, 0, extra).join('\n'))).toEqual(bets(lines.join('\n')))
      }),
      { numRuns: 1_000 },
    )
  })

  it('a sure line without letters is never read in another way by the strict reader', () => {
    const amount = fc.constantFrom('5', '10', '20', '50', '100', '500', '1000', '21', '13', '0', '05')
    const number = fc.constantFrom('5', '12', '50', '13', '123', '005', '100', '1234')
    const sign = fc.constantFrom('=', '*', 'x', '-', '/', ' ', ',', '.', '+', ':', ' = ', ' - ', '\t', '=>', '\n')
    const part = fc.oneof(amount, number, fc.constantFrom('x', '(', ')', '- ', '1. '))
    const text = fc.array(fc.tuple(part, sign), { minLength: 1, maxLength: 6 }).map((parts) => parts.flat().join(''))
    fc.assert(
      fc.property(text, (text) => {
        const strict = readImportText(text, government).bets
        const roll = readImportText(text, { ...government, is_second_roll: true }).bets
        const contradictions = readChat(text, government).lines.filter((line) => {
          // After three digits, "*" and "x" join top and roll.
          const readings = /[*x]/.test(line.text) ? [...strict, ...roll] : strict
          const same = readings.filter(({ line_no }) => line_no === line.line_no).map(({ items }) => spell(items))
          return line.is_sure && same.length > 0 && !same.includes(spell(line.bets))
        })
        expect(contradictions).toEqual([])
      }),
      { numRuns: 5_000 },
    )
    expect.hasAssertions()
  })

  it('a text that is too long, or makes too many items, is refused as a whole', () => {
    const nothing = { lines: [], total_satang_found: null }
    expect(readChat(' '.repeat(MAX_IMPORT_CHARACTERS + 1), government)).toEqual({
      problem: 'text_too_long',
      ...nothing,
    })
    expect(readChat('19ประตู5=5*5\n'.repeat(1_400), government)).toEqual({ problem: 'too_many_items', ...nothing })
  })

  const longLines = [
    '12 ',
    '12=50 ',
    'บน ',
    '12=50 ล่าง ',
    'บน 50 ',
    '1',
    'ก',
    'บ',
    '- ',
    '(',
    '1.',
    '12,',
    '=',
    '50บ ',
    'x',
    '12=1,000',
    'บน',
    'ตัวละ',
    '10:45 ',
    '12-',
    '12=50 กลับ ',
    '1/1/69 ',
    'รวม 5 ',
    'ยกเลิก ',
    '12\n',
    '50\n',
    'บน 50\n',
    '12=50\n',
  ]
  it.each(longLines)('a long text of %j takes no more than its length', (part) => {
    const start = performance.now()
    readChat(part.repeat(Math.floor(MAX_IMPORT_CHARACTERS / part.length)), government)
    expect(performance.now() - start).toBeLessThan(60_000)
  })
})
