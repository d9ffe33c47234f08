// Words that the project does not use, each with the terms of the field to use instead: a newcomer searches for those terms and
// would not find the code under any other word. The check reads identifiers, comments, test titles, documents and file names.
// It reads neither other string literals, nor SQL, nor what stands in backticks in a comment or a document.

/** `forms` are all forms of one word in lower case; they are refused in identifiers (`tellAll`) and in text. */
const words = [
  { forms: ['circle', 'circles'], use: 'deadlock, cycle' },
  { forms: ['trust', 'trusts', 'trusted', 'trusting'], use: 'optimistic, verified, allowed' },
  { forms: ['told', 'tell', 'tells', 'telling'], use: 'notify, publish, report, return, show' },
  { forms: ['teach', 'teaches', 'teaching', 'taught'], use: 'update the cache' },
  { forms: ['lesson', 'lessons'], use: 'cache entry' },
  { forms: ['recall', 'recalls', 'recalled', 'recalling'], use: 'get from the cache, cached' },
  { forms: ['forget', 'forgets', 'forgetting'], use: 'delete, evict' },
  { forms: ['keeper', 'keepers'], use: 'supervisor' },
  { forms: ['deed', 'deeds'], use: 'action' },
  { forms: ['mend', 'mends', 'mended', 'mending'], use: 'maintenance, repair, restore' },
  { forms: ['knock', 'knocks', 'knocked', 'knocking'], use: 'attempt, request' },
  { forms: ['fate', 'fates'], use: 'outcome' },
  { forms: ['ear', 'ears', 'hear', 'hears', 'heard', 'hearing'], use: 'subscribe, receive' },
  { forms: ['ring', 'rings', 'rung', 'rang'], use: 'schedule, run' },
  { forms: ['greet', 'greets'], use: 'print the address' },
  { forms: ['weigh', 'weighs', 'weighed'], use: 'measure, check' },
  { forms: ['judge', 'judges', 'judged'], use: 'check, evaluate' },
  { forms: ['reckon', 'reckons', 'reckoned'], use: 'compute' },
  { forms: ['yardstick'], use: 'baseline' },
  { forms: ['wake', 'wakes', 'woken'], use: 'notify' },
  { forms: ['owing'], use: 'below its floor, overdrawn' },
]

/** Refused in identifiers alone, because in a sentence they are usual verbs. */
const identifierWords = [
  { forms: ['turns'], use: 'permits of a semaphore, ticks of the event loop' },
  { forms: ['wanted'], use: 'requested, expected, target' },
]

/** Refused in the web and its journeys, as whole identifiers and as names of files: each has a term of the field now. */
const webNames = [
  { names: ['laterParts', 'useLaterParts'], files: ['later-parts'], use: 'lazyChunks' },
  { names: ['lazyPart', 'remembered'], use: 'lazyComponent, preloadable' },
  { names: ['Part'], files: ['style-files'], use: 'LazyModule, LazyComponent' },
  { names: ['askForWords', 'askForPage', 'askForMarkets', 'askForStyle'], use: 'preloadMessages, preloadPage …' },
  { names: ['firstFrom'], use: 'primedFetch' },
  { names: ['useShownLater'], files: ['shown-later'], use: 'useDeferredMount' },
  { names: ['firstPaint'], files: ['first-paint'], use: 'afterNextPaint' },
  { names: ['wearLetters', 'loadLetters', 'LETTERS_KEY'], files: ['letters'], use: 'applyWebFont' },
  { names: ['Mended'], use: 'MaintenanceEntry' },
  { names: ['useRootMark'], files: ['root-mark'], use: 'useRootAttribute' },
  { names: ['Mark'], files: ['mark'], use: 'Logo, StepStatus' },
  { names: ['StepMark', 'StepMarks'], files: ['step-marks'], use: 'StepStatus' },
  { names: ['Bones'], use: 'Skeleton' },
  { names: ['firmness'], use: 'dismissible' },
  { names: ['Endless'], files: ['endless'], use: 'InfiniteScroll' },
  { names: ['LongTable', 'LongColumn'], files: ['long-table'], use: 'VirtualTable' },
  { names: ['CheckLine'], files: ['check-line'], use: 'Checkbox' },
  { names: ['ChoiceRow'], files: ['choice-row'], use: 'SegmentedControl' },
  { names: ['useFailureText', 'failureText'], files: ['failure-text'], use: 'useErrorMessage' },
  { names: ['isLookedFor'], use: 'isResolving' },
  { names: ['Way', 'WayPicker', 'waysOf'], use: 'EntryMethod, SubmissionProgress' },
  { names: ['isAside', 'onAside'], use: 'isMinimized' },
  { names: ['useChangeWish', 'changeWishes', 'ChangeWish'], files: ['change-wish'], use: 'acceptancePolicy' },
  { names: ['Trouble', 'trouble', 'troubles', 'troubleOf', 'LineTrouble', 'EntryTrouble'], use: 'Problem' },
  { names: ['recallTicket', 'recalling'], use: 'resumeTicket, resuming' },
  { names: ['SPREAD_MS', 'TOGETHER_MS'], use: 'JITTER_MS, BATCH_WINDOW_MS' },
  { names: ['keepBuild'], use: 'precache' },
  { names: ['Hand'], files: ['hand'], use: 'Input' },
]

/**
 * Names that were replaced where they said too little, and are usual elsewhere: refused in these folders alone, and not as a
 * member of something else.
 */
const webNamesOfFolders = [
  { names: ['bodyOf', 'explain'], folder: 'web/src/', use: 'toPlaceOrderBody, toastBlockingProblems' },
  { names: ['settle'], folder: 'web/src/features/bet/', use: 'recordOutcome' },
  { names: ['put', 'take'], folder: 'web/src/features/bet/entry/', use: 'appendEntry, commitNumber' },
  { names: ['enter', 'join'], folder: 'web/src/features/auth/', use: 'logIn, register' },
  { names: ['Notice'], folder: 'web/src/ui/', use: 'Alert' },
]

/**
 * Whole identifiers, each with a word that has another meaning here: a rule is a limit rule, a setting is what a number is set to, an
 * entry is one of the ledger, a slot is a bet (first table of the glossary).
 */
const ambiguousNames = [
  { names: ['QuotaRules', 'IndexedRules', 'indexRules'], use: 'PeriodLimits, IndexedLimits, indexLimits' },
  {
    names: ['QuotaSetting', 'quotaSetting', 'lockSetting', 'saveSetting', 'listSettings'],
    use: 'MarketQuota, marketQuota',
  },
  { names: ['LimitRecord', 'AmountRecord', 'PackageLimitRecord'], use: 'TypeQuotaRecord, QuotaAmounts' },
  { names: ['EntryPair', 'EntryRow', 'findEntries', 'dropEntry'], use: 'AwardEntryPair, AwardEntryRow …' },
  { names: ['sumInSlot'], use: 'permit of a semaphore' },
]

const termsOfAmbiguousNames = new Map(ambiguousNames.flatMap(({ names, use }) => names.map((name) => [name, use])))
const termsOfWebNames = new Map(webNames.flatMap(({ names, use }) => names.map((name) => [name, use])))
const termsOfWebFiles = new Map(webNames.flatMap(({ files = [], use }) => files.map((name) => [name, use])))

const phrases = [
  { pattern: /\bby memory\b/i, use: 'from the cache' },
  { pattern: /\bmember(?:['’]s|s['’]) word\b/i, use: "the member's answer, confirmation" },
  { pattern: /\blook(?:s|ed|ing)? at\b/i, use: 'read, check, scan' },
  { pattern: /\bkept sums?\b/i, use: 'rollup' },
  { pattern: /\b(?:tree of users|user tree|down the tree)\b/i, use: 'hierarchy, downline' },
  { pattern: /\bg(?:ive|ives|ave|iving) way\b/i, use: 'lower the floor' },
]

/** Identifiers that others have named. */
const allowedIdentifiers = new Map([
  ['trustProxy', 'an option of Fastify'],
  ['TRUST_PROXY', 'a variable of the configuration, which operators have set'],
  ['trustedProxies', 'the value of TRUST_PROXY'],
  ['isTrusted', 'a property of events in browsers'],
  ['circle', 'an element of SVG'],
])

/** The icons of the web are named by their library. */
const iconName = /^Icon[A-Z]/

function termsByForm(entries) {
  return new Map(entries.flatMap(({ forms, use }) => forms.map((form) => [form, use])))
}

const textTerms = termsByForm(words)
const identifierTerms = termsByForm([...words, ...identifierWords])

/** Matches comments, strings, templates and identifiers one after another, so that none is found inside of another. */
const token =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|(?<template>`(?:\\[\s\S]|[^`\\])*`)|(?<identifier>[A-Za-z_$][\w$]*)/g

const title =
  /\b(?:describe|test|it|step)\b[\w.]*(?:\((?:[^()'"`]|\([^()]*\))*\))?\(\s*(?:'((?:\\.|[^'\\])*)'|`((?:\\.|[^`\\])*)`)/g

/** Replaces by spaces, so that offsets stay. */
function blank(text) {
  return text.replaceAll(/[^\n]/g, ' ')
}

/** @returns {{ offset: number, found: string, use: string }[]} */
function findInText(text, start = 0) {
  const prose = text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, blank).replaceAll(/\]\([^)]*\)/g, blank)
  const found = []
  for (const match of prose.matchAll(/[\p{L}’']+/gu)) {
    const use = textTerms.get(match[0].toLowerCase())
    if (use) found.push({ offset: start + match.index, found: match[0], use })
  }
  for (const { pattern, use } of phrases)
    for (const match of prose.matchAll(new RegExp(pattern, `${pattern.flags}g`)))
      found.push({ offset: start + match.index, found: match[0], use })
  return found
}

/** `tellAllNodes` and `TELL_MS` hold the word `tell`. */
function splitIdentifier(identifier) {
  return identifier
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_$]+/)
}

function findInCode(code, start = 0) {
  const found = []
  for (const { index, groups } of code.matchAll(token)) {
    const { comment, template, identifier } = groups
    const offset = start + index
    if (comment) found.push(...findInText(comment, offset))
    if (template)
      for (const inner of template.matchAll(/\$\{([^}]*)\}/g))
        found.push(...findInCode(inner[1], offset + inner.index + 2))
    if (identifier === undefined || allowedIdentifiers.has(identifier) || iconName.test(identifier)) continue
    const name = termsOfAmbiguousNames.get(identifier)
    if (name) found.push({ offset, found: identifier, use: name })
    const word = splitIdentifier(identifier).find((each) => identifierTerms.has(each))
    if (word) found.push({ offset, found: identifier, use: identifierTerms.get(word) })
  }
  return found
}

function findInTitles(code) {
  return Array.from(code.matchAll(title)).flatMap((match) =>
    findInText((match[1] ?? match[2]).replaceAll(/\$\{[^}]*\}/g, blank), match.index),
  )
}

function isOfWeb(file) {
  return /^(?:web|e2e)\/.*\.(?:ts|tsx|mts)$/.test(file)
}

/** Names of the web that have been replaced. A contract's type may have the name of a part: `Notice` is one. */
function findWebNames(file, text) {
  const stem = /([^/]+?)(?:\.\w+)+$/.exec(file)?.[1]
  const inName = termsOfWebFiles.has(stem) ? [[file, stem, termsOfWebFiles.get(stem)]] : []
  const ofFolder = webNamesOfFolders.filter(({ folder }) => file.startsWith(folder))
  const inside = Array.from(text.matchAll(token)).flatMap(({ index, groups: { identifier } }) => {
    const isLimit = identifier !== undefined && /^(?:MOST|LEAST)_/.test(identifier)
    const isMember = text[index - 1] === '.'
    const found = isMember ? undefined : ofFolder.find(({ names }) => names.includes(identifier))
    const use = isLimit ? 'MAX_…, MIN_…' : (found?.use ?? termsOfWebNames.get(identifier))
    return use === undefined ? [] : [[`${file}:${text.slice(0, index).split('\n').length}`, identifier, use]]
  })
  return [...inName, ...inside]
}

/** The glossary is not checked: it lists coined words beside the terms of the field. */
function isRead(file) {
  return (
    /^(?:rules|contract|server|web|bench|scripts|e2e|docs)\/.*\.(?:ts|tsx|mts|mjs|md)$/.test(file) &&
    !file.startsWith('scripts/plain-words.') &&
    file !== 'docs/GLOSSARY.md'
  )
}

/**
 * The words of a file that the project does not use.
 * @param {string} file its path from the root
 * @param {string} text
 * @returns {string[]} a message for each, with file and line; none for files that are not checked
 */
export function findReplacedWords(file, text) {
  return [...(isOfWeb(file) ? findWebNames(file, text) : []), ...(isRead(file) ? findInFile(file, text) : [])].map(
    ([where, word, use]) => `${where}: "${word}" is not a term of the field: ${use}`,
  )
}

function findInFile(file, text) {
  const inName = findInText(file.replaceAll(/[-_./]/g, ' ')).map(({ found, use }) => [file, found, use])
  const found = file.endsWith('.md') ? findInText(text) : [...findInCode(text), ...findInTitles(text)]
  const inside = found
    .toSorted((one, other) => one.offset - other.offset)
    .map(({ offset, found: word, use }) => [`${file}:${text.slice(0, offset).split('\n').length}`, word, use])
  return [...inName, ...inside]
}
