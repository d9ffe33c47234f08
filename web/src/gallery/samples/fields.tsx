import IconSearch from '~icons/search'
import { useState } from 'react'
import { DayField } from '../../ui/day-field.tsx'
import { PasswordStrength } from '../../ui/password-strength.tsx'
import { ReasonField } from '../../ui/reason-field.tsx'
import { ReasonForm } from '../../ui/reason-form.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { PasswordInput, TextInput, Textarea } from '../../ui/text-input.tsx'
import type { TextInputProps } from '../../ui/text-input.tsx'
import { useSay } from '../sample.ts'
import type { Sample } from '../sample.ts'

function Day({ starts }: { starts?: string }) {
  const say = useSay()
  const [day, setDay] = useState<string | undefined>(starts)
  return <DayField label={say('ตั้งแต่วันที่', 'From')} value={day} max="2026-12-31" onChange={setDay} />
}

function Select({ isDisabled = false }: { isDisabled?: boolean }) {
  const say = useSay()
  const [value, setValue] = useState<'all' | 'th' | 'vn'>('all')
  return (
    <SelectField
      label={say('ตลาด', 'Market')}
      value={value}
      isDisabled={isDisabled}
      choices={[
        { value: 'all', label: say('ทุกตลาด', 'All markets') },
        { value: 'th', label: say('หวยรัฐบาลไทย', 'Thai government lottery') },
        { value: 'vn', label: say('ฮานอยพิเศษ', 'Hanoi special') },
      ]}
      onChange={setValue}
    />
  )
}

function Text(props: Partial<TextInputProps> & { problem?: boolean; help?: boolean; starts?: string }) {
  const { problem = false, help = false, starts = '', ...rest } = props
  const say = useSay()
  const [text, setText] = useState(starts)
  return (
    <TextInput
      label={say('ชื่อผู้ใช้', 'Username')}
      description={help ? say('ตัวอักษรอังกฤษหรือตัวเลข 4–20 ตัว', '4 to 20 English letters or digits') : undefined}
      error={problem ? say('ชื่อนี้มีผู้ใช้แล้ว', 'This name is taken') : null}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      {...rest}
    />
  )
}

function Password() {
  const say = useSay()
  const [text, setText] = useState('secret')
  return (
    <PasswordInput
      label={say('รหัสผ่าน', 'Password')}
      toggleLabel={say('แสดงรหัสผ่าน', 'Show password')}
      autoComplete="off"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  )
}

function Lines({ problem = false }: { problem?: boolean }) {
  const say = useSay()
  const [text, setText] = useState('12 34 56 x 20')
  return (
    <Textarea
      label={say('วางเลขที่นี่', 'Paste numbers here')}
      rows={3}
      error={problem ? say('บรรทัดที่ 1 อ่านไม่ออก', 'Line 1 cannot be read') : null}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  )
}

function Reason({ isBusy = false, failed = false }: { isBusy?: boolean; failed?: boolean }) {
  const say = useSay()
  return (
    <ReasonForm
      action={say('ลบบิล', 'Delete ticket')}
      isBusy={isBusy}
      failure={failed ? say('บิลนี้ถูกลบแล้ว', 'This ticket is deleted already') : null}
      onSend={() => {}}
      onCancel={() => {}}
    />
  )
}

export const samples: readonly Sample[] = [
  { part: 'day-field', states: { empty: () => <Day />, filled: () => <Day starts="2026-11-22" /> } },
  {
    part: 'password-strength',
    states: {
      empty: () => <PasswordStrength password="" />,
      'easy to guess': () => <PasswordStrength password="12345678" />,
      'hard to guess': () => <PasswordStrength password="correct horse battery staple 7" />,
    },
  },
  { part: 'reason-field', states: { empty: () => <ReasonField />, filled: () => <ReasonField defaultValue="…" /> } },
  {
    part: 'reason-form',
    states: { empty: () => <Reason />, 'being sent': () => <Reason isBusy />, refused: () => <Reason failed /> },
  },
  { part: 'select-field', states: { plain: () => <Select />, disabled: () => <Select isDisabled /> } },
  {
    part: 'text-input',
    states: {
      empty: () => <Text />,
      filled: () => <Text starts="member07" />,
      'with a description': () => <Text help />,
      'with an error': () => <Text help problem starts="admin" />,
      'with an icon': () => <Text icon={<IconSearch size={20} stroke={1.6} />} />,
      disabled: () => <Text starts="member07" disabled />,
      password: Password,
      'several lines': () => <Lines />,
      'several lines with an error': () => <Lines problem />,
    },
  },
]
