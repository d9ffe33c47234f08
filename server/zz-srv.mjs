import http from 'node:http'
const kind = process.argv[2]
const lines = Array.from({ length: 10 }, (_, i) => ({ bet_type: '3top', number: '12' + i, bet: 1000 * (i + 1), rate: 90000, disc: 500, d: 50 * (i + 1) }))
function item(l, n) {
  return `{"line_no":${n},"bet_type":"${l.bet_type}","number":"${l.number}","asked_satang":${l.bet},` +
    `"bet_satang":${l.bet},"received_satang":${l.bet},"rate":${l.rate},"rate_seen":${l.rate},` +
    `"discount_rate":${l.disc},"discount_satang":${l.d},"net_satang":${l.bet - l.d},` +
    `"is_half_pay":${false},"is_closed":${false},"status":"${'awaiting_result'}","win_satang":0}`
}
function item2(l, n) {
  return `{"line_no":${n},"bet_type":"${l.bet_type}","number":"${l.number}","asked_satang":${l.bet},"bet_satang":${l.bet},"received_satang":${l.bet},"rate":${l.rate},"rate_seen":${l.rate},"discount_rate":${l.disc},"discount_satang":${l.d},"net_satang":${l.bet - l.d},"is_half_pay":false,"is_closed":false,"status":"awaiting_result","win_satang":0}`
}
const memo = new Map()
function item3(l, n) {
  const k = l.rate
  let m = memo.get(k); if (!m) memo.set(k, m = `,"rate":${l.rate},"rate_seen":${l.rate},"discount_rate":${l.disc},"discount_satang":`)
  const b = '' + l.bet
  return `{"line_no":${n},"bet_type":"${l.bet_type}","number":"${l.number}","asked_satang":${b},"bet_satang":${b},"received_satang":${b}${m}${l.d},"net_satang":${l.bet - l.d},"is_half_pay":false,"is_closed":false,"status":"awaiting_result","win_satang":0}`
}
const pieces = []
function joinAll() {
  pieces.length = 0
  for (let i = 0; i < 10; i++) { const l = lines[i]; const b = '' + l.bet
    pieces.push(i ? ',{"line_no":' : '{"line_no":', i + 1, ',"bet_type":"', l.bet_type, '","number":"', l.number, '","asked_satang":', b, ',"bet_satang":', b, ',"received_satang":', b, memo.get(l.rate) ?? (memo.set(l.rate, `,"rate":${l.rate},"rate_seen":${l.rate},"discount_rate":${l.disc},"discount_satang":`), ''), l.d, ',"net_satang":', l.bet - l.d, ',"is_half_pay":false,"is_closed":false,"status":"awaiting_result","win_satang":0}') }
  return pieces.join('')
}
function str() { return JSON.stringify(lines.map((l, i) => ({ line_no: i + 1, bet_type: l.bet_type, number: l.number, asked_satang: l.bet, bet_satang: l.bet, received_satang: l.bet, rate: l.rate, rate_seen: l.rate, discount_rate: l.disc, discount_satang: l.d, net_satang: l.bet - l.d, is_half_pay: false, is_closed: false, status: 'awaiting_result', win_satang: 0 }))).slice(1, -1) }
const make = (f) => () => { let s = ''; for (let i = 0; i < 10; i++) s += (i ? ',' : '') + f(lines[i], i + 1); return s }
const makers = { a: make(item), b: make(item2), c: make(item3), j: joinAll, s: str }
const [m, e] = kind.split('')
const body = makers[m]
const s = http.createServer((req, res) => {
  let t = ''
  req.setEncoding('utf8')
  req.on('data', (c) => (t += c))
  req.on('end', () => {
    JSON.parse(t)
    globalThis.setImmediate(() => {
      const reply = `{"status":{"code":200,"message":"OK"},"data":{"items":[${body()}]}}`
      if (e === 'u') { res.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'content-length': Buffer.byteLength(reply) }); res.end(reply) }
      else if (e === 'l') { res.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'content-length': reply.length }); res.end(reply, 'latin1') }
      else if (e === 'b') { const b = Buffer.from(reply, 'utf8'); res.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'content-length': b.length }); res.end(b) }
      else if (e === 'q') { const b = Buffer.from(reply, 'latin1'); res.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'content-length': b.length }); res.end(b) }
    })
  })
})
s.listen(0, 'localhost', () => console.log(s.address().port))
