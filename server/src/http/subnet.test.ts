// One subscriber's addresses are one subnet.

import { expect, test } from 'vitest'
import { subnetOf } from './subnet.ts'

test.each([
  ['203.0.113.7', '203.0.113'],
  ['203.0.113.250', '203.0.113'],
  ['::ffff:203.0.113.9', '203.0.113'],
  ['2001:db8:1:23ff::1', '20010db8000123'],
  ['2001:DB8:1:2300:a:b:c:d', '20010db8000123'],
  ['2001:db8:1:2400::1', '20010db8000124'],
  ['::1', '00000000000000'],
  [null, ''],
])('the subnet of %s is %s', (address, subnet) => {
  expect(subnetOf(address)).toBe(subnet)
})
