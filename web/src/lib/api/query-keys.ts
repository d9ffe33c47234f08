// The key of every query, by subject: a subject's `all` is the beginning of its other keys, so that to refresh it refreshes
// them all. Nothing else in the web writes a key.

/** The keys of a subject, or of its parts that only the console shows: written short, because the log-in page loads them as well. */
function partsOf(subject: string) {
  return { all: [subject], part: (name: string, ...of: readonly unknown[]) => [subject, name, ...of] }
}

export const queryKeys = {
  user: partsOf('user'),
  credit: { all: ['credit'] },
  markets: {
    /** `all`: the markets with their current periods; the other keys of the subject begin with it. */
    ...partsOf('markets'),
    periods: (product_code: string | undefined) => ['markets', 'periods', product_code],
    period: (period_code: string) => ['markets', 'one', period_code],
    openPeriods: (product_code: string) => ['markets', 'open-periods', product_code],
  },
  packages: {
    all: ['packages'],
    ofMarket: (product_code: string) => ['packages', product_code],
  },
  gameConfig: {
    all: ['game-config'],
    ofPackage: (product_code: string, package_code: string | null) => ['game-config', product_code, package_code],
  },
  /** Numbers that are yellow or grey. */
  limitNumbers: {
    all: ['limit-numbers'],
    /** Without a package: what all packages of the period begin with. */
    ofPeriod: (period_code: string, package_code: string | null = null) =>
      package_code === null ? ['limit-numbers', period_code] : ['limit-numbers', period_code, package_code],
  },
  orders: {
    all: ['orders'],
    one: (order_id: string) => ['orders', 'one', order_id],
    list: (filters: object) => ['orders', 'list', filters],
    deleted: (filters: object) => ['orders', 'deleted', filters],
    latest: (period_code: string) => ['orders', 'period', period_code],
    managed: (filter: object) => ['orders', 'managed', filter],
    found: (search: string) => ['orders', 'found', search],
    waiting: ['orders', 'waiting'],
    deletedNews: ['orders', 'deleted-news'],
    /** The member's own limits: each ticket uses them up. */
    playLimits: ['orders', 'play-limits'],
  },
  /** Favourites and sets of numbers, by the member. */
  ownLists: { all: ['own-lists'], of: (user_id: number) => ['own-lists', user_id] },
  /** Proposals that need a second approval. */
  approvals: partsOf('approvals'),
  /** What users and their parents owe each other. */
  money: partsOf('money'),
  /** Quotas, and what each result of a period costs. */
  risk: partsOf('risk'),
  signals: partsOf('signals'),
  /** The checks of the set-up. */
  readiness: { all: ['readiness'] },
  /** Reports as files. */
  reportFiles: { all: ['report-files'] },
  /** The terms of all packages, as the office changes them. */
  terms: partsOf('terms'),
  /** Limit rules, as the office sets and undoes them. */
  limitRules: partsOf('limit-rules'),
  statement: {
    all: ['statement'],
    list: (search: object) => ['statement', search],
  },
  reports: {
    all: ['reports'],
    /** The newest results of the member. */
    newest: ['reports', 'newest'],
    periods: (search: object) => ['reports', 'periods', search],
    period: (period_code: string, search: object) => ['reports', 'period', period_code, search],
    summary: (body: object, page: number) => ['reports', 'summary', body, page],
    chart: (body: object) => ['reports', 'chart', body],
    luckiest: (product_code: string | undefined) => ['reports', 'luckiest', product_code],
  },
  awards: {
    ...partsOf('awards'),
    ofMarket: (product_code: string) => ['awards', 'product', product_code],
    ofDay: (day: string | undefined) => ['awards', 'markets', day],
    around: (product_code: string, day: string) => ['awards', 'around', product_code, day],
    ownWins: (period_codes: string) => ['awards', 'own', period_codes],
    statistics: (product_code: string, draws: string | undefined) => ['awards', 'statistics', product_code, draws],
  },
  notices: { all: ['notices'] },
  announcements: { all: ['announcements'], ofOffice: ['announcements', 'office'] },
  maintenance: { all: ['maintenance'] },
  downline: {
    all: ['downline'],
    list: (search: string) => ['downline', 'list', search],
    found: (search: string) => ['downline', 'found', search],
    /** A few, for the console's palette. */
    named: (search: string) => ['downline', 'named', search],
    share: (user_id: number) => ['downline', 'share', user_id],
  },
  /** The console's people. */
  people: partsOf('people'),
  /** Second factors and how far the session is verified. */
  factors: { all: ['factors'], list: ['factors', 'list'], session: ['factors', 'session'] },
  sessions: { all: ['sessions'], list: (scope: string) => ['sessions', scope] },
  staff: { all: ['staff'] },
  savedViews: { all: ['saved-views'], of: (page: string) => ['saved-views', page] },
  audit: { all: ['audit'], list: (filter: object) => ['audit', filter] },
  /** Reports on paper: fetched once, and not refreshed while they are printed. */
  print: {
    statement: (search: object) => ['print', 'statement', search],
    periods: (search: object) => ['print', 'periods', search],
  },
  picture: (picture: object) => ['picture', picture],
} as const
