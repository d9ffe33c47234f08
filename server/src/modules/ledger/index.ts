export {
  type CashAccount,
  type CreditBalances,
  type Entry,
  findHeldAccountIds,
  findCreditBalances,
  findGivenLimits,
  getPeriodAccountId,
  listCreditBalances,
  lockCashAccounts,
  openUserAccounts,
  postEntries,
  setFloor,
} from './ledger.service.ts'
