import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

const production = {
  NODE_ENV: 'production',
  TRUST_PROXY: '0',
  PUBLIC_URL: 'https://house.example',
  DATABASE_URL: 'postgresql://db/megalot',
}

describe('configuration', () => {
  test('defaults to a demo on port 3000 with its own database', () => {
    expect(readConfig({})).toMatchObject({
      isDemo: true,
      demoDays: 60,
      isProduction: false,
      port: 3000,
      databaseUrl: undefined,
    })
  })

  test('of production has no demo', () => {
    expect(readConfig(production)).toMatchObject({
      isDemo: false,
      demoDays: 0,
      isProduction: true,
    })
  })

  test('serves no metrics without a port, and with one only on this machine', () => {
    expect(readConfig(production)).toMatchObject({
      metricsPort: 0,
      metricsHost: 'localhost',
    })
    expect(readConfig({ METRICS_PORT: '9464' })).toMatchObject({ metricsPort: 9_464, metricsHost: 'localhost' })
  })

  test('posts alarms by HTTPS only, signed with a long enough secret', () => {
    const url = 'https://alarms.example/hook'
    const secret = 'x'.repeat(32)
    expect(readConfig({})).toMatchObject({ alarmMails: [], alarmWebhook: undefined })
    expect(readConfig({ ALARM_WEBHOOK_URL: url, ALARM_WEBHOOK_SECRET: secret })).toMatchObject({
      alarmWebhook: { url, secret },
    })
    expect(() => readConfig({ ALARM_WEBHOOK_URL: 'http://alarms.example/hook', ALARM_WEBHOOK_SECRET: secret })).toThrow(
      'https://',
    )
    expect(() => readConfig({ ALARM_WEBHOOK_URL: url, ALARM_WEBHOOK_SECRET: 'short' })).toThrow('32 characters')
    expect(() => readConfig({ ALARM_WEBHOOK_URL: url })).toThrow('ALARM_WEBHOOK_SECRET')
  })

  test('keeps personal data no shorter than laws on money and traffic data ask', () => {
    expect(readConfig({}).retention).toEqual({ logInDays: 730, deviceDays: 400, closedContactDays: 3_653 })
    expect(() => readConfig({ KEEP_LOG_INS_DAYS: '89' })).toThrow('KEEP_LOG_INS_DAYS must be a whole number from 90')
    expect(() => readConfig({ KEEP_CLOSED_CONTACTS_DAYS: '1825' })).toThrow('KEEP_CLOSED_CONTACTS_DAYS')
  })

  test('sends alarms to mail addresses', () => {
    expect(readConfig({ ALARM_MAIL_TO: 'a@example.com, b@example.com,a@example.com' }).alarmMails).toEqual([
      'a@example.com',
      'b@example.com',
    ])
    expect(() => readConfig({ ALARM_MAIL_TO: 'nobody' })).toThrow('ALARM_MAIL_TO')
  })

  test('requires a second factor in production, and leaves it open elsewhere', () => {
    expect(readConfig(production)).toMatchObject({
      secondFactor: 'required',
      factorKey: undefined,
    })
    expect(readConfig({})).toMatchObject({ secondFactor: 'optional' })
    expect(readConfig({ SECOND_FACTOR: 'required' })).toMatchObject({ secondFactor: 'required' })
    expect(readConfig({ ...production, SECOND_FACTOR: 'optional' })).toMatchObject({
      secondFactor: 'optional',
    })
  })

  test('ends sessions after half an hour without activity, and after a day, of the console after twelve hours', () => {
    const idle = { sessionIdleMs: 30 * 60_000, consoleIdleMs: 30 * 60_000 }
    expect(readConfig({})).toMatchObject({ ...idle, sessionLifeMs: 24 * 3_600_000, consoleLifeMs: 12 * 3_600_000 })
  })

  test('reads secrets from files, each from one place', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'megalot-secrets-')), 'url')
    writeFileSync(file, 'postgresql://login:secret@db/megalot\n')
    expect(readConfig({ DATABASE_URL_FILE: file })).toMatchObject({
      databaseUrl: 'postgresql://login:secret@db/megalot',
      ownerDatabaseUrl: 'postgresql://login:secret@db/megalot',
    })
    expect(() => readConfig({ DATABASE_URL_FILE: file, DATABASE_URL: 'postgresql://db/other' })).toThrow('both set')
    expect(() => readConfig({ DATABASE_URL_FILE: `${file}-absent` })).toThrow('DATABASE_URL_FILE cannot be read')
    rmSync(dirname(file), { recursive: true })
  })

  test('sets the days of history of a demo', () => {
    expect(readConfig({ DEMO_DAYS: '0' })).toMatchObject({ isDemo: true, demoDays: 0 })
    expect(readConfig({ DEMO: '0', DEMO_DAYS: '60' })).toMatchObject({ isDemo: false, demoDays: 0 })
  })

  test.each([
    [{ NODE_ENV: 'production', CAPTCHA_TEST_ANSWER: 'abcd' }, 'CAPTCHA_TEST_ANSWER'],
    [{ NODE_ENV: 'production', DEMO: '1' }, 'DEMO=1'],
    [{ CAPTCHA_TEST_ANSWER: 'abc' }, '4 characters'],
    [{ PORT: 'eighty' }, 'PORT'],
    [{ NODE_ENV: 'Production' }, 'NODE_ENV'],
    [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY'],
    [{ ...production, TRUST_PROXY: '' }, 'TRUST_PROXY'],
    [{ ...production, PUBLIC_URL: '' }, 'PUBLIC_URL'],
    [{ ...production, PUBLIC_URL: 'http://house.example' }, 'PUBLIC_URL'],
    [{ ...production, DATABASE_URL: '' }, 'DATABASE_URL'],
    [{ PORT: '70000' }, 'PORT'],
    [{ DEMO: 'perhaps' }, 'DEMO'],
    [{ DEMO_DAYS: '-1' }, 'DEMO_DAYS'],
    [{ DEMO_DAYS: '365' }, 'DEMO_DAYS'],
    [{ SESSION_IDLE_MINUTES: '0' }, 'SESSION_IDLE_MINUTES'],
    [{ METRICS_PORT: 'on' }, 'METRICS_PORT'],
    [{ METRICS_PORT: '3000' }, 'METRICS_PORT must be another port than PORT'],
    [{ MAX_LOOP_DELAY_MS: '-1' }, 'MAX_LOOP_DELAY_MS'],
    [{ SECOND_FACTOR: 'no' }, 'SECOND_FACTOR must be required or optional'],
    [{ FACTOR_KEY: 'c2hvcnQ=' }, 'FACTOR_KEY must be 32 bytes'],
    [{ FACTOR_KEY: '*'.repeat(44) }, 'FACTOR_KEY must be 32 bytes'],
    [{ CONSOLE_LIFE_HOURS: '0' }, 'CONSOLE_LIFE_HOURS'],
    [{ CONSOLE_IDLE_MINUTES: 'long' }, 'CONSOLE_IDLE_MINUTES'],
  ])('refuses %j with a message that names %s', (environment, name) => {
    expect(() => readConfig(environment)).toThrow(name)
  })
})
