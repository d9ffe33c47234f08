export interface Instruction {
  word: string
  rest: string
}

/** The stages of the Dockerfile by name, in their order. */
export function readStages(): Map<string, { from: string; instructions: Instruction[] }>
