import { useState } from 'react'
import type { ChangeEvent, FormEvent } from 'react'

export interface Fields<Field extends string, Problem extends string> {
  values: Record<Field, string>
  change: (field: Field, value: string) => void
  /** Empties the form after it was sent. */
  reset: () => void
  /** What a `TextInput` takes. */
  propsOf: (field: Field) => {
    name: Field
    value: string
    onChange: (event: ChangeEvent<HTMLInputElement>) => void
    error: string | null
    required: boolean
  }
  /** Handles the form's submit: shows what is wrong and goes to the first of it, or sends. */
  submit: (event: FormEvent<HTMLFormElement>, send: () => void) => void
  hideProblems: () => void
  /** Since the first try to send: a form may show then what is wrong with all fields together. */
  areProblemsShown: boolean
  problems: Record<Field, Problem | null>
}

/**
 * The fields of a form, what is wrong with them, and since when it is shown: not before the first try to send.
 * @param problemsOf the first problem of each field, or null; a field that may be empty has none then
 * @param sayProblem a problem in words
 */
export function useFields<Field extends string, Problem extends string>(
  initial: Record<Field, string>,
  problemsOf: (values: Record<Field, string>) => Record<Field, Problem | null>,
  sayProblem: (problem: Problem) => string,
  optional: readonly NoInfer<Field>[] = [],
): Fields<Field, Problem> {
  const [values, setValues] = useState(initial)
  const [areProblemsShown, setAreProblemsShown] = useState(false)
  const problems = problemsOf(values)
  const change = (field: Field, value: string): void => setValues((current) => ({ ...current, [field]: value }))
  return {
    values,
    problems,
    change,
    reset: () => {
      setValues(initial)
      setAreProblemsShown(false)
    },
    areProblemsShown,
    hideProblems: () => setAreProblemsShown(false),
    propsOf: (field) => {
      const problem = areProblemsShown ? problems[field] : null
      return {
        name: field,
        value: values[field],
        onChange: (event) => change(field, event.currentTarget.value),
        error: problem === null ? null : sayProblem(problem),
        required: !optional.includes(field),
      }
    },
    submit: (event, send) => {
      event.preventDefault()
      setAreProblemsShown(true)
      const first = (Object.keys(problems) as Field[]).find((field) => problems[field] !== null)
      if (first === undefined) send()
      else event.currentTarget.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
    },
  }
}
