import { useEffect, useState } from 'react'

/** How long each step shows as under way once the answer is there. */
const STEP_MS = 180

function isMotionReduced(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

/**
 * Shows the steps of a ticket one after the other once its answer is there; at once where the device asks for little motion,
 * and for an answer that nobody was waiting for.
 * @param underWay the step at which a ticket on its way stands; null where none is
 * @param decided how many steps the answer has decided
 * @returns the step to show as under way; null where the answer itself is to be shown
 */
export function usePlayedSteps(underWay: number | null, decided: number): number | null {
  const [step, setStep] = useState(underWay)
  const isPlaying = underWay === null && step !== null && step < decided && !isMotionReduced()
  if (underWay !== null && step !== underWay) setStep(underWay)
  if (underWay === null && step !== null && !isPlaying) setStep(null)
  useEffect(() => {
    if (!isPlaying || step === null) return undefined
    const timer = setTimeout(() => setStep(step + 1), STEP_MS)
    return () => clearTimeout(timer)
  }, [isPlaying, step])
  return isPlaying ? step : null
}
