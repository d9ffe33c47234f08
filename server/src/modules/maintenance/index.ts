export { serveMaintenance } from './maintenance.routes.ts'
export {
  isMaintained,
  listMaintenances,
  maintenanceOfEverything,
  maintenanceOfProduct,
  refuseInMaintenance,
  setMaintenance,
} from './maintenance.service.ts'
