export { BasketPage as default } from "@/features/basket/BasketPage";
