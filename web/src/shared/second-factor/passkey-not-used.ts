/** The person or the device did not make or use a passkey. `known`: this device has one of this user already. */
export class PasskeyNotUsed extends Error {
  readonly why: 'refused' | 'known'

  constructor(why: 'refused' | 'known') {
    super(why)
    this.name = 'PasskeyNotUsed'
    this.why = why
  }
}
