import { useState } from 'react'
import type { FormEvent } from 'react'

/** The problem of each wrong field, in words. */
export type Problems<Values> = { readonly [Field in keyof Values]?: string | null }

interface TextEvent {
  currentTarget: { value: string }
}

/** Props of a field: a `Checkbox` takes the first kind, a `TextInput` or a choice the second. */
export type FieldProps<Field, Value> = [Value] extends [boolean]
  ? { name: Field; isChecked: boolean; onChange: (isChecked: boolean) => void }
  : {
      name: Field
      value: Value
      error: string | null
      required: boolean
      onChange: (input: Value | (string extends Value ? TextEvent : never)) => void
    }

export interface Form<Values extends object> {
  values: Values
  change: (part: Partial<Values>) => void
  /** Hides the problems. Sets the given values, or all initial ones. */
  reset: (part?: Partial<Values>) => void
  propsOf: <Field extends keyof Values & string>(field: Field) => FieldProps<Field, Values[Field]>
  /** Shows the problems and moves the focus to the first wrong field, or sends the values. */
  submit: (event: FormEvent<HTMLFormElement>) => void
  /** Empty before the first submit. */
  problems: Problems<Values>
}

interface FormOptions<Values extends object> {
  initial: Values | (() => Values)
  /** The order of the problems is the order of the fields. */
  check: (values: Values) => Problems<NoInfer<Values>>
  send: (values: Values, form: HTMLFormElement) => unknown
}

/** The values of a form and their problems, which it shows from the first submit on. */
export function useForm<Values extends object>({ initial, check, send }: FormOptions<Values>): Form<Values> {
  const [first] = useState(initial)
  const [values, setValues] = useState(first)
  const [isTried, setIsTried] = useState(false)
  const found = check(values)
  const problems = isTried ? found : {}
  const change = (part: Partial<Values>): void => setValues((current) => ({ ...current, ...part }))
  return {
    values,
    problems,
    change,
    reset: (part) => {
      setIsTried(false)
      change(part ?? first)
    },
    propsOf: (field) =>
      writeProps(values, field, problems, isRequired(values, field, check), (value) =>
        change({ [field]: value } as unknown as Partial<Values>),
      ),
    submit: (event) => {
      event.preventDefault()
      setIsTried(true)
      const wrong = findWrong(found)
      if (wrong === undefined) void send(values, event.currentTarget)
      else focusField(event.currentTarget, wrong)
    },
  }
}

/** Puts the problems of a form's fields into words. */
export function inWords<Field extends string, Problem extends string>(
  problems: Readonly<Record<Field, Problem | null>>,
  say: (problem: Problem) => string,
): Record<Field, string | null> {
  const said = Object.entries<Problem | null>(problems).map(([field, problem]) => [
    field,
    problem === null ? null : say(problem),
  ])
  return Object.fromEntries(said) as Record<Field, string | null>
}

/** Moves the focus to a field. In a group, its first wrong field comes before its first one. */
export function focusField(form: HTMLFormElement, name: string): void {
  const named = form.querySelector<HTMLElement>(`[name=${name}]`)
  const field =
    named instanceof HTMLFieldSetElement
      ? (named.querySelector<HTMLElement>('[aria-invalid]') ??
        named.querySelector<HTMLElement>(':is(textarea, input, select):enabled'))
      : named
  field?.focus()
}

/** Exported for its test. @returns the first field that has a problem */
export function findWrong<Values>(problems: Problems<Values>): string | undefined {
  return Object.entries<string | null | undefined>(problems).find(([, problem]) => (problem ?? null) !== null)?.[0]
}

/** Exported for its test. @returns whether an empty text would be a problem */
export function isRequired<Values extends object>(
  values: Values,
  field: keyof Values,
  check: (values: Values) => Problems<Values>,
): boolean {
  return typeof values[field] === 'string' && (check({ ...values, [field]: '' })[field] ?? null) !== null
}

/** Exported for its test. @param set is given the new value: of a text field's event, or as a choice passes it */
export function writeProps<Values extends object, Field extends keyof Values & string>(
  values: Values,
  field: Field,
  problems: Problems<Values>,
  required: boolean,
  set: (value: unknown) => void,
): FieldProps<Field, Values[Field]> {
  const value = values[field]
  const props =
    typeof value === 'boolean'
      ? { name: field, isChecked: value, onChange: set }
      : {
          name: field,
          value,
          error: problems[field] ?? null,
          required,
          onChange: (input: unknown) => set(isTextEvent(input) ? input.currentTarget.value : input),
        }
  return props as FieldProps<Field, Values[Field]>
}

function isTextEvent(input: unknown): input is TextEvent {
  return typeof input === 'object' && input !== null && 'currentTarget' in input
}
