// Goal: an address counts once its owner has opened the link that was mailed to it, and others cannot keep that link from it.

import { refusals } from '@megalot/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  app,
  auditOf,
  logIn,
  PUBLIC_URL,
  register,
  registerVerified,
  startForNewcomers,
  takeEmailTokens,
  verify,
} from '../../../test/newcomers.ts'
import { createMailbox, tokensIn } from '../../../test/test-mail.ts'
import { type Mail } from '../../lib/mail.ts'
import { sendDueEmailNotices } from './email-notices.ts'
import { sendDueEmails } from './email-verification.service.ts'
import { sendDueRecoveries } from './recovery.service.ts'

beforeAll(startForNewcomers)

describe('an address', () => {
  const isVerified = async (username: string): Promise<boolean> => {
    const user = await app.owner
      .selectFrom('users')
      .select('email_verified_at')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
    return user.email_verified_at !== null
  }

  test('is verified by the mailed link and the password, once', async () => {
    const { username, json } = await register()
    const [token] = await takeEmailTokens(`${username}@example.com`)
    expect((await verify(token!, 'wrong1234')).json.error.code).toBe('wrong_password')
    expect(await isVerified(username)).toBe(false)
    expect((await verify(token!, 'first1234')).http).toBe(200)
    expect(await isVerified(username)).toBe(true)
    expect((await verify(token!, 'first1234')).json.error.code).toBe('email_link_over')
    expect(await auditOf(json.data.user_id)).toEqual([
      'register',
      'log_in',
      'send_email_link',
      'verify_email_failed',
      'verify_email',
    ])
  })

  // Whoever reads the mail of a mistyped address must not guess the password with it.
  test('takes five passwords for a link, the right one after that is refused too', async () => {
    const { username } = await register()
    const [token] = await takeEmailTokens(`${username}@example.com`)
    for (let each = 0; each < 5; each += 1)
      expect((await verify(token!, `wrong${each}`)).json.error.code).toBe('wrong_password')
    expect((await verify(token!, 'first1234')).json.error.code).toBe('email_link_over')
    expect(await isVerified(username)).toBe(false)
  })

  test('has a link for three days; a log-in after that brings another one, three in all', async () => {
    const { username, json } = await register()
    const email = `${username}@example.com`
    const expire = () =>
      app.asOwner`update email_links set expires_at = clock_timestamp() where user_id = ${json.data.user_id}`
    const [first] = await takeEmailTokens(email)
    await expire()
    expect((await verify(first!, 'first1234')).json.error.code).toBe('email_link_over')
    expect(await takeEmailTokens(email)).toEqual([])
    for (const mails of [1, 1, 0, 0]) {
      await logIn(username, 'first1234')
      expect(await takeEmailTokens(email)).toHaveLength(mails)
      await expire()
    }
  })

  // Defect: five attempts while the password was refused unseen, and the link was used up.
  test('loses no link by attempts that are refused because there were too many', async () => {
    const { username, json } = await register()
    const [token] = await takeEmailTokens(`${username}@example.com`)
    const headers = { authorization: `Bearer ${json.sessionId}` }
    const payload = { old_password: 'wrong1234', new_password: 'other1234', confirm_password: 'other1234' }
    for (let each = 0; each < 8; each += 1)
      await app.server.inject({ method: 'POST', url: '/mgluser/change_password', headers, payload })
    // A back-off that no machine is slow enough to sit out.
    await app.asOwner`update failed_tries set failures = 30, last_failed_at = clock_timestamp()`
    for (let each = 0; each < 6; each += 1)
      expect((await verify(token!, 'first1234')).json.error.code).toBe('log_in_paused')
    await app.asOwner`delete from failed_tries`
    expect((await verify(token!, 'first1234')).http).toBe(200)
  })

  // Defect: each twenty registrations of others delayed the owner's mail by a day, whether they came before it or after it.
  describe('with which many have registered', () => {
    /** Registers so many more than a day lets in. */
    async function registerMany(email: string, count: number): Promise<string[]> {
      const names: string[] = []
      for (let each = 0; each < count; each += 1) {
        await app.asOwner`delete from attempts_of_day`
        names.push((await register({ email })).username)
      }
      return names
    }
    /** The names in the mails that are sent now. */
    async function sendTo(email: string): Promise<string[]> {
      const { mails, sendMail } = createMailbox()
      await sendDueEmails(app.db, sendMail, PUBLIC_URL)
      return mails.filter(({ to }) => to === email).map(({ text }) => / (newcomer\d+) /.exec(text)![1]!)
    }
    /** So many of the mails of one kind become a day old, and those who wait for that are due. */
    async function makeRoom(email: string, mails: number, by_turn: boolean): Promise<void> {
      await app.asOwner`
        update email_links set mailed_at = mailed_at - interval '1 day' where user_id in (
          select user_id from email_links
          where email = ${email} and by_turn = ${by_turn} and mailed_at > clock_timestamp() - interval '1 day' order by user_id limit ${mails})`
      await app.asOwner`
        update email_links set due_at = due_at - interval '1 day' where due_at > clock_timestamp()`
    }

    test('has twenty mails a day: ten to those who wait longest, ten to those who logged in last', async () => {
      await takeEmailTokens('')
      const email = 'owned@example.com'
      const names = await registerMany(email, 24)
      expect((await logIn(names[11]!, 'first1234')).http).toBe(200)
      const sent = await sendTo(email)
      expect(sent).toEqual([...names.slice(0, 10), names[11], ...names.slice(15).toReversed()])
      expect(await sendTo(email)).toEqual([])
      const waiting = [names[10]!, ...names.slice(12, 15)]
      await makeRoom(email, 1, false)
      expect(await sendTo(email)).toEqual([waiting[3]])
      await makeRoom(email, 1, true)
      expect(await sendTo(email)).toEqual([waiting[0]])
      // One who registers while others wait has logged in later than they.
      const [later] = await registerMany(email, 1)
      await makeRoom(email, 1, true)
      expect(await sendTo(email)).toEqual([waiting[1]])
      await makeRoom(email, 1, false)
      expect(await sendTo(email)).toEqual([later])
    })

    test('is mailed to its owner, whoever registers and logs in after it on each day', async () => {
      await takeEmailTokens('')
      const email = 'delayed@example.com'
      const day = async (who: number): Promise<string[]> => {
        await app.asOwner`
          update email_links set mailed_at = mailed_at - interval '25 hours', due_at = due_at - interval '25 hours'`
        return registerMany(email, who)
      }
      await day(20)
      await sendTo(email)
      const [owner] = await registerMany(email, 1)
      const sent: string[] = []
      for (let each = 0; each < 2; each += 1) {
        await day(20)
        sent.push(...(await sendTo(email)))
      }
      expect(sent).toContain(owner)
    })

    test('registers ten members a day, at once as well, and no name that is taken counts', async () => {
      const email = 'ten@example.com'
      await register({ email: 'Ten@example.com', username: 'member01' })
      const replies = await Promise.all(Array.from({ length: 6 }, () => register({ email })))
      replies.push(...(await Promise.all(Array.from({ length: 6 }, () => register({ email: 'TEN@example.com' })))))
      const codes = replies.map(({ json }) => json.error?.code ?? 'ok')
      expect(codes.toSorted()).toEqual([
        ...Array<string>(2).fill('email_limit_reached'),
        ...Array<string>(10).fill('ok'),
      ])
      const { http, json } = await register({ email })
      expect([http, json.status.message]).toEqual([409, refusals.email_limit_reached.en])
      await app.asOwner`update attempts_of_day set day = day - 1`
      expect((await register({ email })).http).toBe(200)
    })
  })

  // Defect: a mail server that was away for ten minutes, and the member never got a link.
  test('whose mail was given up has another one after a log-in', async () => {
    await takeEmailTokens('')
    const { username } = await register()
    const email = `${username}@example.com`
    const broken = () => Promise.reject(new Error('the mail server is away'))
    for (let each = 0; each < 5; each += 1) {
      await expect(sendDueEmails(app.db, broken, PUBLIC_URL)).rejects.toThrow('away')
      await app.asOwner`update email_links set due_at = clock_timestamp() where due_at is not null`
    }
    expect(await takeEmailTokens(email)).toEqual([])
    await logIn(username, 'first1234')
    const [token] = await takeEmailTokens(email)
    expect((await verify(token!, 'first1234')).http).toBe(200)
  })

  test('whose mail cannot be delivered does not keep the others waiting', async () => {
    await takeEmailTokens('')
    const [broken, fine] = [(await register()).username, (await register()).username]
    const mailbox = createMailbox()
    const sendMail = (mail: Mail) =>
      mail.to.startsWith(broken) ? Promise.reject(new Error('no such mailbox')) : mailbox.sendMail(mail)
    await expect(sendDueEmails(app.db, sendMail, PUBLIC_URL)).rejects.toThrow('no such mailbox')
    expect(mailbox.mails.map(({ to }) => to)).toEqual([`${fine}@example.com`])
    // Later it is tried again.
    await app.asOwner`update email_links set due_at = clock_timestamp() where due_at is not null`
    expect(await takeEmailTokens(`${broken}@example.com`)).toHaveLength(1)
  })
})

describe('a member', () => {
  type Registered = Awaited<ReturnType<typeof register>>
  const callerOf = ({ json }: Registered) => app.callerOf(json.sessionId, json.data.user_id)
  const change = (member: Registered, email: string, password = 'first1234') =>
    callerOf(member).post('/mgluser/email', { email, password })
  const stateOf = async (member: Registered) => (await callerOf(member).get('/mgluser/email')).json.data
  /** The names whose accounts an address can recover now. */
  async function recoverableBy(email: string): Promise<string[]> {
    const { mails, sendMail } = createMailbox()
    await app.asOwner`update recovery_links set mailed_at = mailed_at - interval '1 hour'`
    await app.call('POST', '/megalot/auth/forgot-password', { email })
    await sendDueRecoveries(app.db, sendMail, PUBLIC_URL)
    return mails.map(({ text }) => / (newcomer\d+) /.exec(text)![1]!)
  }
  async function registerWithoutEmail(): Promise<Registered> {
    await app.asOwner`update agent_codes set is_email_optional = true`
    return register({ email: undefined })
  }

  test('adds an address, which serves once it is verified', async () => {
    const member = await registerWithoutEmail()
    const email = `${member.username}@added.example`
    expect((await change(member, email)).json.data).toEqual({ email: null, unverified_email: email })
    expect(await recoverableBy(email)).toEqual([])
    const [token] = await takeEmailTokens(email)
    expect((await verify(token!, 'first1234')).http).toBe(200)
    expect(await stateOf(member)).toEqual({ email, unverified_email: null })
    expect(await recoverableBy(email)).toEqual([member.username])
    const { mails, sendMail } = createMailbox()
    await sendDueEmailNotices(app.db, sendMail)
    expect(mails).toEqual([])
    expect(await auditOf(member.json.data.user_id)).toEqual([
      ...['register', 'log_in', 'change_email', 'send_email_link', 'verify_email', 'send_recovery_link'],
    ])
  })

  test('changes its address: the earlier one serves until the new one is verified, and is notified once', async () => {
    const member = await registerVerified()
    const earlier = `${member.username}@example.com`
    const email = `${member.username}@changed.example`
    expect((await change(member, email)).json.data).toEqual({ email: earlier, unverified_email: email })
    expect(await recoverableBy(earlier)).toEqual([member.username])
    expect(await recoverableBy(email)).toEqual([])
    const [token] = await takeEmailTokens(email)
    expect((await verify(token!, 'first1234')).http).toBe(200)
    expect(await recoverableBy(earlier)).toEqual([])
    expect(await recoverableBy(email)).toEqual([member.username])
    const { mails, sendMail } = createMailbox()
    const broken = () => Promise.reject(new Error('the mail server is away'))
    await expect(sendDueEmailNotices(app.db, broken)).rejects.toThrow('away')
    await app.asOwner`update email_notices set due_at = clock_timestamp()`
    for (let each = 0; each < 2; each += 1) await sendDueEmailNotices(app.db, sendMail)
    expect(mails.map(({ to, text }) => [to, text.includes(member.username), text.includes(email)])).toEqual([
      [earlier, true, false],
    ])
  })

  // A link in the mailbox that is being left must not open the account afterwards.
  test('whose new address is verified has no link that was mailed to the earlier one', async () => {
    const member = await registerVerified()
    const email = `${member.username}@later.example`
    const { mails, sendMail } = createMailbox()
    await app.call('POST', '/megalot/auth/forgot-password', { email: `${member.username}@example.com` })
    await sendDueRecoveries(app.db, sendMail, PUBLIC_URL)
    await change(member, email)
    const [verification] = await takeEmailTokens(email)
    await verify(verification!, 'first1234')
    const [token] = tokensIn(mails[0]!)
    const set = { token, new_password: 'thief1234', confirm_password: 'thief1234' }
    expect((await app.call('POST', '/megalot/auth/reset-password', set)).json.error.code).toBe('recovery_link_over')
  })

  test('asks for another link to the same address, and the earlier link is over', async () => {
    const member = await register()
    const email = `${member.username}@example.com`
    const [first] = await takeEmailTokens(email)
    await change(member, email)
    const [second] = await takeEmailTokens(email)
    expect((await verify(first!, 'first1234')).json.error.code).toBe('email_link_over')
    expect((await verify(second!, 'first1234')).http).toBe(200)
  })

  test('changes no address by a wrong password, and guesses none', async () => {
    const member = await registerVerified()
    const codes: string[] = []
    for (let each = 0; each < 7; each += 1)
      codes.push((await change(member, 'thief@example.com', `wrong${each}`)).json.error.code)
    expect(codes.slice(0, 5)).toEqual(Array(5).fill('wrong_password'))
    expect(codes.at(-1)).toBe('log_in_paused')
    expect(await stateOf(member)).toEqual({ email: `${member.username}@example.com`, unverified_email: null })
  })

  test('mails ten addresses a day, and an address is mailed for ten members', async () => {
    const member = await registerWithoutEmail()
    const codes: string[] = []
    for (let each = 0; each < 11; each += 1)
      codes.push((await change(member, `target${each}@example.com`)).json.error?.code ?? 'ok')
    expect(codes).toEqual([...Array<string>(10).fill('ok'), 'too_many_requests'])
    for (let each = 0; each < 10; each += 1) await register({ email: 'full@example.com' })
    expect((await change(await registerWithoutEmail(), 'FULL@example.com')).json.error.code).toBe('email_limit_reached')
  })

  test('counts once for an address, however often it asks for a link', async () => {
    const member = await registerWithoutEmail()
    for (let each = 0; each < 10; each += 1)
      expect((await change(member, 'wanted@example.com')).json.data.unverified_email).toBe('wanted@example.com')
    for (let each = 0; each < 9; each += 1)
      expect((await register({ email: 'wanted@example.com' })).json.data.user_id).toEqual(expect.any(Number))
  })

  test('changes its address while a mail is sent: the link verifies the address that it was mailed to, or none', async () => {
    const member = await registerWithoutEmail()
    await change(member, 'old@moved.example')
    const { mails, sendMail } = createMailbox()
    await sendDueEmails(
      app.db,
      async (mail) => {
        if (mail.to === 'old@moved.example') await change(member, 'new@moved.example')
        await sendMail(mail)
      },
      PUBLIC_URL,
    )
    const moved = mails.filter(({ to }) => to.endsWith('@moved.example'))
    expect(moved.map(({ to }) => to)).toEqual(['old@moved.example', 'new@moved.example'])
    expect((await verify(tokensIn(moved[0]!)[0]!, 'first1234')).json.error.code).toBe('email_link_over')
    expect((await verify(tokensIn(moved[1]!)[0]!, 'first1234')).http).toBe(200)
    expect(await stateOf(member)).toEqual({ email: 'new@moved.example', unverified_email: null })
  })

  // Whoever opened the account for the member knows the one-time password, and may have typed an address of its own.
  test('verifies no address by a one-time password', async () => {
    const member = await register()
    const [token] = await takeEmailTokens(`${member.username}@example.com`)
    const { user_id } = member.json.data
    await app.asOwner`update users set must_change_password = true where user_id = ${user_id}`
    expect((await verify(token!, 'first1234')).json.error.code).toBe('password_change_needed')
    await app.asOwner`update users set must_change_password = false where user_id = ${user_id}`
    expect((await verify(token!, 'first1234')).http).toBe(200)
  })
})
