// The messages of the specification's error catalogue, its sections 5 and 8.

import { type Language, refusals } from '@megalot/contract'
import { wordsOf } from './words.ts'

export function catalogueOf(language: Language) {
  const t = wordsOf(language)
  return {
    // Toasts of the bet page
    pick_rate: t('bet.refusal.no_package'),
    no_number: t('bet.refusal.no_number'),
    zero_total: t('bet.refusal.zero_total'),
    not_enough_credit: t('bet.refusal.not_enough_credit'),
    over_credit: t('bet.refusal.over_credit'),
    over_max: t('bet.refusal.over_max'),
    over_max_per_stake: t('bet.refusal.over_max_per_number'),
    under_min: t('bet.refusal.under_min'),
    duplicates: t('bet.refusal.duplicate'),
    // Entering numbers
    needs_3_digits: t('entry.problem.too_few_digits', { digits: 3 }),
    needs_2_digits: t('entry.problem.too_few_digits', { digits: 2 }),
    needs_1_digit: t('entry.problem.too_few_digits', { digits: 1 }),
    needs_column: t('entry.problem.no_stake'),
    doors_digits: t('entry.problem.bad_doors'),
    import_failed: t('import.failed'),
    // The dialog of a ticket that was sent
    create_error: t('bet.submission.refused.title'),
    creation_failed: t('bet.submission.refused.failed'),
    period_closed: refusals.period_closed[language],
    bet_disabled: t('shell.notice.DISABLED_BET'),
    all_closed: t('bet.refusal.all_numbers_closed'),
    rate_changed: refusals.rate_changed[language],
    numbers_closed: refusals.numbers_closed[language],
    // Deciding about a ticket
    partial: t('decision.title'),
    confirm_error: t('decision.failure.confirm_title'),
    confirm_code: t('decision.failure.confirm', { code: 'no_reply' }),
    invalid_status: t('decision.failure.invalid_status'),
    cancel_error: t('decision.failure.cancel_title'),
    cancel_code: t('decision.failure.cancel', { code: 'too_many_cancelled' }),
    // The account
    suspended: t('shell.notice.SUSPENDED'),
    username_required: t('auth.problem.username_required'),
    username_form: t('auth.problem.username_form'),
    username_short: t('auth.problem.username_short'),
    username_long: t('auth.problem.username_long'),
    password_required: t('auth.problem.password_required'),
    password_length: t('auth.problem.password_length'),
    captcha_required: t('auth.problem.captcha_required'),
    captcha_length: t('auth.problem.captcha_length'),
    fill_in_all: t('credentials.problem.required'),
    password_mismatch: t('credentials.problem.password_mismatch'),
    change_password_failed: t('account.password.failed'),
    error_code: t('account.password.error', { code: 'wrong_old_password' }),
    // Other pages
    summary_failed: t('reports.summary_failed'),
    not_found: t('common.not_found.title'),
    to_main: t('common.not_found.back'),
  }
}

export type CatalogueEntry = keyof ReturnType<typeof catalogueOf>
