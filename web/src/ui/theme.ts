import { createTheme } from '@mantine/core'
import type { MantineColorsTuple } from '@mantine/core'

// One accent, petrol: white text on it and it on white both pass WCAG AA. Everything else on screen is paper and ink.
const petrol: MantineColorsTuple = [
  '#e8f5f5',
  '#d0e9e9',
  '#a3d4d4',
  '#72bdbd',
  '#4aa8a8',
  '#2b9393',
  '#137d7d',
  '#0b6667',
  '#085152',
  '#053c3d',
]
const dark: MantineColorsTuple = [
  '#e3e9ec',
  '#bcc7cd',
  '#9dabb3',
  '#6f7d86',
  '#3d4850',
  '#2d363c',
  '#232b31',
  '#1b2126',
  '#151a1e',
  '#101417',
]

const FONT =
  "'Noto Sans Thai Looped Variable', 'Noto Sans Thai Looped', 'Leelawadee UI', Thonburi, system-ui, sans-serif"

export const theme = createTheme({
  colors: { petrol, dark },
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 6 },
  fontFamily: FONT,
  headings: { fontFamily: FONT, fontWeight: '600' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  // Thai stacks vowels and tone marks above and below its letters: every line needs room for them.
  lineHeights: { xs: '1.6', sm: '1.6', md: '1.65', lg: '1.65', xl: '1.65' },
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'md' }, styles: { root: { minHeight: 44 }, label: { lineHeight: 1.6 } } },
    ActionIcon: { defaultProps: { size: 44, variant: 'subtle', color: 'gray' } },
    // Fields are a thumb high, and labels keep clear of the vowels that hang below a line of Thai.
    Input: { vars: () => ({ wrapper: { '--input-height': '2.875rem' } }) },
    InputWrapper: { styles: { label: { marginBottom: 4 } } },
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
    NativeSelect: { defaultProps: { size: 'md' } },
    Modal: { defaultProps: { radius: 'lg', overlayProps: { backgroundOpacity: 0.45 } } },
  },
})
