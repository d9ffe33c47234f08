import type { ReactNode } from 'react'
import { MainMenu } from '../../member/shell/main-menu.tsx'
import { NewsLine } from '../../member/shell/news/news-line.tsx'
import { ShellFrame } from '../../member/shell/shell-frame.tsx'
import { TopBarView } from '../../member/shell/top-bar-view.tsx'
import classes from '../gallery.module.css'
import { useSay } from '../sample.ts'
import type { Sample } from '../sample.ts'

const ignore = (): void => {}

/** What the shell fixes to the edges of the screen stays within this. */
function Screen({ children }: { children: ReactNode }) {
  return <div className={classes.screen}>{children}</div>
}

function Bar({ unread = 0, remain = 125_000 }: { unread?: number; remain?: number | null }) {
  const say = useSay()
  return (
    <Screen>
      <TopBarView
        title={say('หวยรัฐบาลไทย', 'Thai government lottery')}
        unread={unread}
        credit_remain_satang={remain}
        isAtMarket={false}
        onOpenPanel={ignore}
      />
    </Screen>
  )
}

function Frame() {
  const say = useSay()
  const topBar = <TopBarView title={say('บิล', 'Bills')} unread={2} credit_remain_satang={980_050} isAtMarket={false} />
  return (
    <Screen>
      <ShellFrame isAtMarket={false} panel={<p>{say('แผงด้านข้าง', 'Side panel')}</p>} topBar={topBar}>
        <p>{say('เนื้อหาของหน้า', 'What the page shows')}</p>
      </ShellFrame>
    </Screen>
  )
}

function Line({ kind, isClosable = false }: { kind: 'good' | 'warn' | 'bad' | 'plain'; isClosable?: boolean }) {
  const say = useSay()
  return (
    <NewsLine
      kind={kind}
      text={say('1 บิลรอยืนยัน', '1 ticket needs confirming')}
      name="news"
      {...(isClosable ? { link: { to: '/' }, onClose: ignore, closeLabel: say('ซ่อน', 'Hide') } : {})}
    />
  )
}

/** Views of the member app's shell, which the application and the prerendered frames render too. */
export const samples: readonly Sample[] = [
  {
    part: 'main-menu',
    states: {
      tabs: () => (
        <Screen>
          <MainMenu form="tabs" isAtMarket={false} />
        </Screen>
      ),
      'at a market': () => (
        <Screen>
          <MainMenu form="tabs" isAtMarket />
        </Screen>
      ),
      line: () => <MainMenu form="line" isAtMarket={false} />,
    },
  },
  {
    part: 'news-line',
    states: {
      good: () => <Line kind="good" isClosable />,
      warn: () => <Line kind="warn" isClosable />,
      bad: () => <Line kind="bad" />,
      plain: () => <Line kind="plain" isClosable />,
    },
  },
  { part: 'shell-frame', states: { plain: Frame } },
  {
    part: 'top-bar-view',
    states: {
      plain: () => <Bar />,
      'unread announcements': () => <Bar unread={12} />,
      'credit of millions': () => <Bar remain={1_234_567_890} />,
      'credit not known': () => <Bar remain={null} />,
    },
  },
]
