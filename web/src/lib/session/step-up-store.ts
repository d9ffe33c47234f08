import { create } from 'zustand'

/** Whether the dialog that asks for a second factor is open. */
export const useStepUp = create<{ isOpen: boolean }>()(() => ({ isOpen: false }))

/** Only the console has the dialog: members have no second factors. */
let isOffered = false
/** Calls that are refused at the same time wait for one answer. */
let question: { answer: Promise<boolean>; listeners: ((isVerified: boolean) => void)[] } | null = null

/** The console's frame is there and shows the dialog. @returns what takes that back */
export function offerStepUp(): () => void {
  isOffered = true
  return () => {
    isOffered = false
    settleStepUp(false)
  }
}

/** Asks the person for a second factor. @returns whether one was verified; false where the person closes the dialog */
export function askForStepUp(): Promise<boolean> {
  if (!isOffered) return Promise.resolve(false)
  if (question === null) {
    const listeners: ((isVerified: boolean) => void)[] = []
    const answer = new Promise<boolean>((resolve) => {
      listeners.push(resolve)
    })
    question = { answer, listeners }
    useStepUp.setState({ isOpen: true })
  }
  return question.answer
}

/** Ends the question: every call that waits goes on, or stays refused. */
export function settleStepUp(isVerified: boolean): void {
  const answered = question
  question = null
  useStepUp.setState({ isOpen: false })
  for (const listener of answered?.listeners ?? []) listener(isVerified)
}
