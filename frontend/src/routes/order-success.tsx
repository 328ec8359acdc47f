export { OrderSuccess as default } from "@/features/order-success/OrderSuccess";
